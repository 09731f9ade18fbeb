-- move(lists; batch, priority, number of the target list): put the messages of a batch into the list of
-- another priority, behind what is there, in their order.
local wanted, target = '"id": "' .. ARGV[1] .. '-', tonumber(ARGV[3])
local taken = {}
for number, key in ipairs(KEYS) do
  local kept = {}
  local items = number == target and {} or redis.call('LRANGE', key, 0, -1)
  local before = #taken
  -- What came first lies on the right.
  for place = #items, 1, -1 do
    local item = items[place]
    if string.find(item, wanted, 1, true) then taken[#taken + 1] = item else kept[#kept + 1] = item end
  end
  if #taken > before then
    redis.call('DEL', key)
    for _, item in ipairs(kept) do redis.call('LPUSH', key, item) end
  end
end
for _, item in ipairs(taken) do
  redis.call('LPUSH', KEYS[target], (item:gsub('"priority": %d+', '"priority": ' .. ARGV[2])))
end
return #taken
