-- settle(job, waiting, leased): the result of an ended job is stored; nothing is left to do.
local state = redis.call('HGET', KEYS[1], 'state')
if state == 'queued' or state == 'encoding' then return 0 end
redis.call('ZREM', KEYS[3], KEYS[1]:match('[^:]+$'))
return 1
