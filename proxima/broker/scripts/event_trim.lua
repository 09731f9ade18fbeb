-- trim(events, dead, trimmed, lost; soft milliseconds, soft count, hard milliseconds, hard count, at
-- most so many, prefix of due): take away the oldest events that are old enough or too many. One that
-- some group has not acknowledged stays up to the hard limits. Gives how many went, then the groups
-- that lost some and how many each.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local soft, hard = {age = tonumber(ARGV[1]), count = tonumber(ARGV[2])},
  {age = tonumber(ARGV[3]), count = tonumber(ARGV[4])}
local function is_later(one, other)
  local ms, number = one:match('(%d+)-(%d+)')
  local other_ms, other_number = other:match('(%d+)-(%d+)')
  ms, other_ms = tonumber(ms), tonumber(other_ms)
  return ms > other_ms or (ms == other_ms and tonumber(number) > tonumber(other_number))
end
local groups = {}
if redis.call('EXISTS', KEYS[1]) == 0 then return {0} end
for _, flat in ipairs(redis.call('XINFO', 'GROUPS', KEYS[1])) do
  local info = {}
  for place = 1, #flat, 2 do info[flat[place]] = flat[place + 1] end
  local first = info.pending > 0 and redis.call('XPENDING', KEYS[1], info.name)[2] or nil
  groups[#groups + 1] = {name = info.name, last = info['last-delivered-id'], first = first, lost = 0}
end
local buried = {}
for _, entry in ipairs(redis.call('XRANGE', KEYS[2], '-', '+')) do buried[entry[2][4]] = true end
local length, gone, cut = redis.call('XLEN', KEYS[1]), 0, nil
for _, entry in ipairs(redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', ARGV[5])) do
  local id, left = entry[1], length - gone
  local age = now - tonumber(id:match('%d+'))
  local waiting = {}
  for _, group in ipairs(groups) do
    if is_later(id, group.last) or (group.first and not is_later(group.first, id)) then
      waiting[#waiting + 1] = group
    end
  end
  local limit = (#waiting > 0 or buried[id]) and hard or soft
  if age <= limit.age and left <= limit.count then break end
  for _, group in ipairs(waiting) do
    local is_new = is_later(id, group.last)
    if is_new or redis.call('XACK', KEYS[1], group.name, id) == 1 then
      group.lost = group.lost + 1
      redis.call('ZREM', ARGV[6] .. group.name, id)
    end
  end
  gone, cut = gone + 1, id
end
if not cut then return {0} end
local ms, number = cut:match('(%d+)-(%d+)')
redis.call('XTRIM', KEYS[1], 'MINID', string.format('%s-%d', ms, number + 1))
redis.call('SET', KEYS[3], cut)
local answer = {gone}
for _, group in ipairs(groups) do
  if group.lost > 0 then
    redis.call('HINCRBY', KEYS[4], group.name, group.lost)
    answer[#answer + 1] = group.name
    answer[#answer + 1] = group.lost
  end
end
return answer
