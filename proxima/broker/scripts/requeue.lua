--#tell
-- requeue(job, waiting, leased): a job that failed or was cancelled waits again, as if new.
local key = KEYS[1]
local found = redis.call('HMGET', key, 'state', 'attempt', 'outcome')
local state = found[1]
if state ~= 'failed' and state ~= 'cancelled' then return 0 end
local id = key:match('[^:]+$')
local time = redis.call('TIME')
-- How its last attempt ended stays told.
local last = redis.call('HGET', key, 'end:' .. found[2])
if last and found[3] and last:match(' (%a+)$') == state then
  redis.call('HSET', key, 'end:' .. found[2], last .. ' ' .. found[3])
end
-- Sums over the batch that were kept are no longer right.
local batch = key:gsub('job:[^:]+$', 'batch:' .. id:match('^[^-]+'))
if redis.call('EXISTS', batch) == 1 then redis.call('HINCRBY', batch, 'requeues', 1) end
-- The attempt number goes on: it is the fence against whoever still works on an earlier one.
redis.call('HDEL', key, 'outcome', 'ended', 'cancel', 'published', 'lost', 'lost_to',
  'failures', 'returned', 'failed_on', 'problem', 'declines')
redis.call('HSET', key, 'state', 'queued', 'owner', '', 'until', 0)
redis.call('ZREM', KEYS[3], id)
redis.call('ZADD', KEYS[2], time[1] * 1000 + math.floor(time[2] / 1000), id)
job_again(key)
return 1
