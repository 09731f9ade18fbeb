-- requeue(job, waiting, leased): a job that failed or was cancelled waits again, as if new.
local key = KEYS[1]
local state = redis.call('HGET', key, 'state')
if state ~= 'failed' and state ~= 'cancelled' then return 0 end
local id = key:match('[^:]+$')
local time = redis.call('TIME')
-- The attempt number goes on: it is the fence against whoever still works on an earlier one.
redis.call('HDEL', key, 'outcome', 'cancel', 'published', 'lost', 'lost_to',
  'failures', 'returned', 'failed_on', 'problem', 'declines')
redis.call('HSET', key, 'state', 'queued', 'owner', '', 'until', 0)
redis.call('ZREM', KEYS[3], id)
redis.call('ZADD', KEYS[2], time[1] * 1000 + math.floor(time[2] / 1000), id)
return 1
