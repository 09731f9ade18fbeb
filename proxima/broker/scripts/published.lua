-- published(job, waiting, leased; worker, attempt): the output of this attempt has its name.
local found = redis.call('HMGET', KEYS[1], 'state', 'attempt')
if found[1] ~= 'done' or found[2] ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], 'published', '1')
return 1
