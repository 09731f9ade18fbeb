--#bury
-- revive(events, dead, due; dead entry, group, event): deliver an event that was set aside again, to
-- its group alone. 0 if it was trimmed away.
if not redis.call('XRANGE', KEYS[1], ARGV[3], ARGV[3])[1] then return 0 end
redis.call('XCLAIM', KEYS[1], ARGV[2], '(retry)', 0, ARGV[3], 'RETRYCOUNT', 0, 'FORCE')
redis.call('ZADD', KEYS[3], milliseconds(), ARGV[3])
redis.call('XDEL', KEYS[2], ARGV[1])
return 1
