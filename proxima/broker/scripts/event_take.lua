--#bury
-- take(events, dead, due; group, consumer, idle milliseconds, most deliveries): give the consumer an
-- event that is to be tried again now, or whose consumer is gone. The count of deliveries goes on.
local group, consumer, most = ARGV[1], ARGV[2], tonumber(ARGV[4])
local function take(id, held)
  if held.count >= most then
    bury(group, id, held.count, 'consumer ' .. held.consumer .. ' was lost with it')
    return nil
  end
  -- Empty if the entry was trimmed away.
  local found = redis.call('XCLAIM', KEYS[1], group, consumer, 0, id)[1]
  redis.call('ZREM', KEYS[3], id)
  return found and {found[1], found[2], held.count + 1}
end
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[3], 0, milliseconds(), 'LIMIT', 0, 10)) do
  local held = pending_of(group, id)
  local taken = held and take(id, held)
  if taken then return taken end
  redis.call('ZREM', KEYS[3], id)
end
local start = '-'
while true do
  local stale = redis.call('XPENDING', KEYS[1], group, 'IDLE', ARGV[3], start, '+', 20)
  for _, found in ipairs(stale) do
    -- What waits for its next try is nobody's just now.
    if not redis.call('ZSCORE', KEYS[3], found[1]) then
      local taken = take(found[1], {consumer = found[2], count = found[4]})
      if taken then return taken end
    end
    start = '(' .. found[1]
  end
  if #stale < 20 then return nil end
end
