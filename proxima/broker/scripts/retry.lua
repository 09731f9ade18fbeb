--#tell
-- retry(job, waiting, leased, delayed; worker, attempt, milliseconds, counter, problem [, from]):
-- only the holder of the current attempt hands the job back after a failure, to be sent again when
-- it is due; the counter is 'failures' or 'returned'.
local key, from = KEYS[1], ARGV[6] or 'encoding'
local found = redis.call('HMGET', key, 'state', 'owner', 'attempt', 'cancel', 'failed_on', 'published')
if found[1] ~= from or found[2] ~= ARGV[1] or found[3] ~= ARGV[2] then return 0 end
if found[4] == '1' then return 0 end
if from == 'done' and found[6] == '1' then return 0 end
local id = key:match('[^:]+$')
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local due = now + tonumber(ARGV[3])
redis.call('HINCRBY', key, ARGV[4], 1)
redis.call('HSET', key, 'state', 'queued', 'owner', '', 'until', 0, 'problem', ARGV[5],
  'failed_on', (found[5] or '') .. ARGV[1] .. '\n',
  'end:' .. ARGV[2], now .. ' retried ' .. ARGV[5])
redis.call('HDEL', key, 'outcome', 'ended', 'declines')
redis.call('ZREM', KEYS[3], id)
redis.call('ZREM', KEYS[2], id)
redis.call('ZADD', KEYS[4], due, id)
local problem = body_of(ARGV[5])
tell_job('job.retried', key, {reason = 'failed', worker = ARGV[1], attempt = ARGV[2],
  kind = problem.kind, message = problem.message})
return 1
