--#bury
-- fail(events, dead, due; group, consumer, event, milliseconds, most deliveries, reason): it could not
-- be handled. 'again' if it will be tried again, 'dead' if it was set aside, 'lost' if not ours.
local group, id = ARGV[1], ARGV[3]
local held = pending_of(group, id)
if not held or held.consumer ~= ARGV[2] then return 'lost' end
if held.count >= tonumber(ARGV[5]) then
  bury(group, id, held.count, ARGV[6])
  return 'dead'
end
redis.call('ZADD', KEYS[3], milliseconds() + tonumber(ARGV[4]), id)
return 'again'
