--#tell
-- queued(batch, batches; jobs, shared, loads, created, seconds): a new batch is complete. Whoever
-- finds it finds its jobs; of shared ones some may run, or have ended since.
local key = KEYS[1]
if redis.call('HEXISTS', key, 'jobs') == 1 then return 0 end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HSET', key, 'jobs', ARGV[1], 'shared', ARGV[2], 'loads', ARGV[3],
  'sent', string.format('%.0f', now))
redis.call('ZADD', KEYS[2], ARGV[4], key:match('[^:]+$'))
redis.call('ZREMRANGEBYSCORE', KEYS[2], 0, ARGV[4] - ARGV[5])
tell_batch('batch.queued', key, {})
local counts = count(key)
redis.call('HSET', key, 'open', counts.queued + counts.encoding)
if counts.queued < tonumber(ARGV[1]) then start_batch(key) end
if counts.queued + counts.encoding == 0 then end_batch(key) end
return 1
