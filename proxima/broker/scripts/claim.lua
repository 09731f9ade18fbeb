-- claim(job; worker, milliseconds): take the lease of a job that is free.
local key, worker, length = KEYS[1], ARGV[1], tonumber(ARGV[2])
local state = redis.call('HGET', key, 'state')
if not state then return nil end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local lapsed = tonumber(redis.call('HGET', key, 'until') or '0') <= now
if state == 'encoding' and lapsed then
  -- Its worker is gone. A cancelled job ends here, any other waits again.
  if redis.call('HGET', key, 'cancel') == '1' then
    redis.call('HSET', key, 'state', 'cancelled')
    state = 'cancelled'
  else
    state = 'queued'
  end
end
if state ~= 'queued' then
  return {state, redis.call('HGET', key, 'outcome') or ''}
end
local attempt = redis.call('HINCRBY', key, 'attempt', 1)
redis.call('HSET', key, 'state', 'encoding', 'owner', worker, 'until', now + length)
return {'queued', attempt, redis.call('HGET', key, 'job')}
