-- wake(job, waiting, leased, delayed): a delayed job that is due waits for a worker again.
local key = KEYS[1]
local id = key:match('[^:]+$')
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local due = redis.call('ZSCORE', KEYS[4], id)
if not due or tonumber(due) > now then return 0 end
redis.call('ZREM', KEYS[4], id)
if redis.call('HGET', key, 'state') ~= 'queued' then return 0 end
redis.call('ZADD', KEYS[2], now, id)
return 1
