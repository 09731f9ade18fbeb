-- cancel(job; outcome): a waiting job ends at once, a running one is told through its lease.
local key = KEYS[1]
local found = redis.call('HMGET', key, 'state', 'until')
local state = found[1]
if not state then return nil end
if state ~= 'queued' and state ~= 'encoding' then return state end
redis.call('HSET', key, 'cancel', '1')
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if state == 'queued' or tonumber(found[2] or '0') <= now then
  redis.call('HSET', key, 'state', 'cancelled', 'outcome', ARGV[1])
  return 'queued'
end
return state
