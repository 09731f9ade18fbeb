--#bury
-- renew(events, dead, due; group, consumer, event): the consumer still works on it; 0 if it lost it.
local held = pending_of(ARGV[1], ARGV[3])
if not held or held.consumer ~= ARGV[2] then return 0 end
-- JUSTID leaves the count of deliveries as it is.
redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, ARGV[3], 'JUSTID')
return 1
