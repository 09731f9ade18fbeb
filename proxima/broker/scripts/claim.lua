--#tell
-- claim(job, waiting, leased, delayed, paused; worker, milliseconds, declines): take the lease of a job that
-- waits; not if it failed on this worker before and was declined fewer than that many times.
local key, worker, length = KEYS[1], ARGV[1], tonumber(ARGV[2])
local found = redis.call('HMGET', key, 'state', 'outcome', 'attempt', 'owner', 'published', 'job')
if not found[1] then return nil end
if found[1] ~= 'queued' then
  return {found[1], found[2] or '', found[3] or '0', found[4] or '', found[5] or '', found[6]}
end
local id = key:match('[^:]+$')
if redis.call('HEXISTS', KEYS[5], id:match('^[^-]+')) == 1 then
  redis.call('ZREM', KEYS[2], id)
  redis.call('ZADD', KEYS[4], '9e15', id)
  return {'held'}
end
local before = redis.call('HMGET', key, 'failed_on', 'failures', 'returned', 'declines')
local failed_on = before[1] or ''
local declined = tonumber(before[4] or '0')
if declined < tonumber(ARGV[3]) and string.find(failed_on, worker .. '\n', 1, true) then
  return {'declined', found[3] or '0', '', before[2] or '0', before[3] or '0', failed_on}
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local lapse = now + length
local attempt = redis.call('HINCRBY', key, 'attempt', 1)
redis.call('HSET', key, 'state', 'encoding', 'owner', worker, 'until', lapse,
  'start:' .. attempt, now .. ' ' .. worker)
-- Of a job that is handed round for ever, the last attempts are told.
redis.call('HDEL', key, 'start:' .. (attempt - 20), 'end:' .. (attempt - 20))
redis.call('ZREM', KEYS[2], id)
redis.call('ZREM', KEYS[4], id)
redis.call('ZADD', KEYS[3], lapse, id)
job_started(key, worker, attempt)
return {'queued', attempt, found[6], before[2] or '0', before[3] or '0', failed_on}
