--#tell
-- cancel(job, waiting, leased, delayed; outcome, milliseconds): a waiting job ends at once, a running one
-- is told through its lease. Gives the state in which the job was found.
local key = KEYS[1]
local state = redis.call('HGET', key, 'state')
if not state then return nil end
if state ~= 'queued' and state ~= 'encoding' then return state end
redis.call('HSET', key, 'cancel', '1')
if state == 'queued' then
  local id = key:match('[^:]+$')
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  redis.call('HSET', key, 'state', 'cancelled', 'outcome', ARGV[1], 'ended', now)
  redis.call('ZREM', KEYS[2], id)
  redis.call('ZREM', KEYS[4], id)
  redis.call('ZADD', KEYS[3], now + tonumber(ARGV[2]), id)
  job_ended(key)
end
return state
