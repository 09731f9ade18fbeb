-- finish(job; worker, attempt, state, outcome [, from]): only the holder of the current attempt.
local key, from = KEYS[1], ARGV[5] or 'encoding'
local found = redis.call('HMGET', key, 'state', 'owner', 'attempt', 'cancel')
if found[1] ~= from or found[2] ~= ARGV[1] or found[3] ~= ARGV[2] then return 0 end
-- Cancelled in the last moment: nothing is published any more.
if found[4] == '1' and ARGV[3] == 'done' then return 0 end
redis.call('HSET', key, 'state', ARGV[3], 'outcome', ARGV[4])
return 1
