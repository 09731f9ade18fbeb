-- settle(job, waiting, leased [; state]): the result of an ended job is stored; nothing is left to
-- do. With a state only if it ended so: the result may be another, and was then not stored.
local found = redis.call('HMGET', KEYS[1], 'state', 'published')
local state = found[1]
if state == 'queued' or state == 'encoding' then return 0 end
if ARGV[1] and ARGV[1] ~= state then return 0 end
if state == 'done' and found[2] ~= '1' then return 0 end
redis.call('ZREM', KEYS[3], KEYS[1]:match('[^:]+$'))
return 1
