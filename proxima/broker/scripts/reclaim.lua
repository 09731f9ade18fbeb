--#tell
-- reclaim(job, waiting, leased; limit, cancelled outcome, milliseconds): put right a job whose
-- lease or whose time to be settled ran out. Gives what it is now, and what the sweep must know.
local key = KEYS[1]
local id = key:match('[^:]+$')
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local due = redis.call('ZSCORE', KEYS[3], id)
if not due or tonumber(due) > now then return {'early'} end
local found = redis.call('HMGET', key, 'state', 'owner', 'attempt', 'cancel', 'lost_to', 'outcome', 'published')
local state = found[1]
if not state or state == 'queued' then
  redis.call('ZREM', KEYS[3], id)
  return {'early'}
end
if state ~= 'encoding' then
  -- Ended, but its result was not stored: look again later, whatever the sweep does now.
  redis.call('ZADD', KEYS[3], now + tonumber(ARGV[3]), id)
  return {state, found[6] or '', found[7] or ''}
end
if found[4] == '1' then
  redis.call('HSET', key, 'state', 'cancelled', 'outcome', ARGV[2], 'ended', now,
    'end:' .. found[3], now .. ' cancelled')
  job_ended(key)
  return {'cancelled', ARGV[2], ''}
end
local lost_to = (found[5] or '') .. found[2] .. '\n'
local lost = redis.call('HINCRBY', key, 'lost', 1)
redis.call('HSET', key, 'lost_to', lost_to)
if lost >= tonumber(ARGV[1]) then return {'poisonous', found[2], found[3], lost_to} end
redis.call('HSET', key, 'state', 'queued', 'owner', '', 'until', 0,
  'end:' .. found[3], now .. ' lost')
redis.call('ZREM', KEYS[3], id)
redis.call('ZADD', KEYS[2], now, id)
tell_job('job.retried', key, {reason = 'lost', worker = found[2], attempt = found[3]})
return {'queued'}
