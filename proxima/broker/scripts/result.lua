-- result(result, job; value, seconds, state, attempt): store the result of a job whose record says
-- the same; of an attempt only while it is the current one. A job without a record may have any.
local found = redis.call('HMGET', KEYS[2], 'state', 'attempt')
if found[1] and ARGV[3] ~= '' and found[1] ~= ARGV[3] then return 0 end
if found[1] and ARGV[4] ~= '' and found[2] ~= ARGV[4] then return 0 end
redis.call('SETEX', KEYS[1], ARGV[2], ARGV[1])
redis.call('PUBLISH', KEYS[1], ARGV[1])
return 1
