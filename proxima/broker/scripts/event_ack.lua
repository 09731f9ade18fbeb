--#bury
-- ack(events, dead, due; group, consumer, event): the event was handled. 'ours', 'done' if somebody
-- had said so before, 'lost' if another consumer has it now; 'ahead' if it was ours and the consumer
-- did more in these seconds than another: it should let that one go first.
local held = pending_of(ARGV[1], ARGV[3])
if not held then return 'done' end
if held.consumer ~= ARGV[2] then return 'lost' end
redis.call('XACK', KEYS[1], ARGV[1], ARGV[3])
redis.call('ZREM', KEYS[3], ARGV[3])
local shares = KEYS[3]:gsub(':due:', ':shares:')
local mine, least = redis.call('HINCRBY', shares, ARGV[2], 1), math.huge
if mine == 1 and redis.call('HLEN', shares) == 1 then redis.call('EXPIRE', shares, 10) end
for _, count in ipairs(redis.call('HVALS', shares)) do least = math.min(least, tonumber(count)) end
return mine > 1.05 * least + 3 and 'ahead' or 'ours'
