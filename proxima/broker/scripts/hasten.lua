-- hasten(job, waiting, leased, delayed): a job that is delayed, or held while its batch is paused, is
-- due now.
local id = KEYS[1]:match('[^:]+$')
if not redis.call('ZSCORE', KEYS[4], id) then return 0 end
local time = redis.call('TIME')
redis.call('ZADD', KEYS[4], time[1] * 1000 + math.floor(time[2] / 1000), id)
return 1
