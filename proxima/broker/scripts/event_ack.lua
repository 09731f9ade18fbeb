--#bury
-- ack(events, dead, due; group, consumer, event): the event was handled. 'ours', 'done' if somebody
-- had said so before, 'lost' if another consumer has it now.
local held = pending_of(ARGV[1], ARGV[3])
if not held then return 'done' end
if held.consumer ~= ARGV[2] then return 'lost' end
redis.call('XACK', KEYS[1], ARGV[1], ARGV[3])
redis.call('ZREM', KEYS[3], ARGV[3])
return 'ours'
