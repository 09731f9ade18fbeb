-- Stands before the scripts that deliver events to groups: keys are events, dead, due.

-- Who has an event of a group, and how often it was delivered; nil if nobody has.
local function pending_of(group, id)
  local found = redis.call('XPENDING', KEYS[1], group, id, id, 1)[1]
  if found then return {consumer = found[2], count = found[4]} end
end

-- Set an event aside that nobody could handle; its copy says why.
local function bury(group, id, count, reason)
  local found = redis.call('XRANGE', KEYS[1], id, id)[1]
  if found then
    redis.call('XADD', KEYS[2], 'MAXLEN', '~', 10000, '*', 'dead_group', group, 'dead_id', id,
      'dead_deliveries', count, 'dead_reason', reason, unpack(found[2]))
  end
  redis.call('XACK', KEYS[1], group, id)
  redis.call('ZREM', KEYS[3], id)
end

local function milliseconds()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
