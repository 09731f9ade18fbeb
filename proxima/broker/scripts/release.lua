--#tell
-- release(job, waiting, leased; worker, attempt [, from]): hand the job back.
local key, from = KEYS[1], ARGV[3] or 'encoding'
local found = redis.call('HMGET', key, 'state', 'owner', 'attempt', 'published')
if found[1] ~= from or found[2] ~= ARGV[1] or found[3] ~= ARGV[2] then return 0 end
if from == 'done' and found[4] == '1' then return 0 end
local id = key:match('[^:]+$')
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HSET', key, 'state', 'queued', 'owner', '', 'until', 0,
  'end:' .. ARGV[2], now .. ' returned')
redis.call('HDEL', key, 'outcome', 'ended')
redis.call('ZREM', KEYS[3], id)
redis.call('ZADD', KEYS[2], now, id)
tell_job('job.retried', key, {reason = 'returned', worker = ARGV[1], attempt = ARGV[2]})
return 1
