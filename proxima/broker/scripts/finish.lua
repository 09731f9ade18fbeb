--#tell
-- finish(job, waiting, leased; worker, attempt, state, outcome, milliseconds [, from]): only the
-- holder of the current attempt. The job stays among the leased ones until its result is stored.
local key, from = KEYS[1], ARGV[6] or 'encoding'
local found = redis.call('HMGET', key, 'state', 'owner', 'attempt', 'cancel', 'outcome', 'published')
if found[2] ~= ARGV[1] or found[3] ~= ARGV[2] then return 0 end
-- The answer was lost, and it asks again.
if found[1] == ARGV[3] and found[5] == ARGV[4] then return 1 end
if found[1] ~= from then return 0 end
-- What has its name is not taken back.
if from == 'done' and found[6] == '1' then return 0 end
-- Cancelled in the last moment: it ends as nothing else any more.
if found[4] == '1' and ARGV[3] ~= 'cancelled' then return 0 end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local lapse = now + tonumber(ARGV[5])
redis.call('HSET', key, 'state', ARGV[3], 'outcome', ARGV[4], 'ended', now,
  'end:' .. ARGV[2], now .. ' ' .. ARGV[3])
redis.call('ZADD', KEYS[3], lapse, key:match('[^:]+$'))
-- A job is done once its output has its name: see published.
if ARGV[3] ~= 'done' then job_ended(key) end
return 1
