--#tell
-- published(job, waiting, leased; worker, attempt): the output of this attempt has its name.
local found = redis.call('HMGET', KEYS[1], 'state', 'attempt', 'published')
if found[1] ~= 'done' or found[2] ~= ARGV[2] then return 0 end
if found[3] == '1' then return 1 end
redis.call('HSET', KEYS[1], 'published', '1')
job_ended(KEYS[1])
return 1
