--#tell
-- leave(workers, orders; worker, reason [, record]): take a worker off the roster and tell so; with
-- a record only if it still says the same.
local had = redis.call('HGET', KEYS[1], ARGV[1])
if ARGV[3] and had ~= ARGV[3] then return 0 end
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[2], ARGV[1], ARGV[1] .. ' slots')
if had then
  tell('worker.down', {worker = ARGV[1], host = body_of(had).host, reason = ARGV[2]})
end
return 1
