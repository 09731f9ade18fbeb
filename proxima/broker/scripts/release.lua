-- release(job; worker, attempt): hand the job back.
local key = KEYS[1]
local found = redis.call('HMGET', key, 'state', 'owner', 'attempt')
if found[1] ~= 'encoding' or found[2] ~= ARGV[1] or found[3] ~= ARGV[2] then return 0 end
redis.call('HSET', key, 'state', 'queued', 'owner', '', 'until', 0)
return 1
