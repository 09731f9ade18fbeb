-- renew(job, waiting, leased; worker, attempt, milliseconds): 'encoding' if still ours,
-- 'cancelled' if it is to end, nil if it is lost.
local key = KEYS[1]
local found = redis.call('HMGET', key, 'state', 'owner', 'attempt', 'cancel')
if found[1] ~= 'encoding' or found[2] ~= ARGV[1] or found[3] ~= ARGV[2] then return nil end
if found[4] == '1' then return 'cancelled' end
local time = redis.call('TIME')
local lapse = time[1] * 1000 + math.floor(time[2] / 1000) + tonumber(ARGV[3])
redis.call('HSET', key, 'until', lapse)
redis.call('ZADD', KEYS[3], lapse, key:match('[^:]+$'))
return 'encoding'
