-- decline(job, waiting, leased, delayed; milliseconds): a job that waits is to be sent again later,
-- so that another worker may take it.
local key = KEYS[1]
if redis.call('HGET', key, 'state') ~= 'queued' then return 0 end
local id = key:match('[^:]+$')
local time = redis.call('TIME')
redis.call('HINCRBY', key, 'declines', 1)
redis.call('ZREM', KEYS[2], id)
redis.call('ZADD', KEYS[4], time[1] * 1000 + math.floor(time[2] / 1000) + tonumber(ARGV[1]), id)
return 1
