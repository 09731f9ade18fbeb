--#tell
-- missed(batch, trimmed; first, last, since): tell of those of the batch's own jobs from first to last
-- whose end is in no event, though it came after since (milliseconds); with the last also of the
-- batch's end. Gives how many events that made; -1 if there is nothing to look for.
local key = KEYS[1]
local trimmed = redis.call('GET', KEYS[2]) or '0-0'
local since = tonumber(ARGV[3])
local found = redis.call('HMGET', key, 'jobs', 'told', 'checked')
local jobs, told, checked = tonumber(found[1] or ''), found[2], found[3]
if not jobs then return -1 end
local function is_missing(event, ended)
  if not ended or ended < since then return false end
  if not event then return true end
  local ms, number = event:match('(%d+)-(%d+)')
  local last, last_number = trimmed:match('(%d+)-(%d+)')
  ms, last = tonumber(ms), tonumber(last)
  if ms < last or (ms == last and tonumber(number) <= tonumber(last_number)) then return false end
  return #redis.call('XRANGE', EVENTS, event, event) == 0
end
if told and told == checked and not is_missing(told, since) then
  return -1
end
local id, prefix, made = key:match('[^:]+$'), key:gsub('batch:[^:]+$', 'job:'), 0
for number = ARGV[1], math.min(ARGV[2], jobs) do
  local job = prefix .. string.format('%s-%05d', id, number)
  local said = redis.call('HMGET', job, 'state', 'published', 'ended', 'told')
  local is_over = FINAL[said[1]] and (said[1] ~= 'done' or said[2] == '1')
  if is_over and is_missing(said[4], tonumber(said[3] or '')) then
    tell_end(job, 1)
    made = made + 1
  end
end
if tonumber(ARGV[2]) < jobs then return made end
local counts = count(key)
if counts.queued + counts.encoding == 0 then
  if is_missing(told, counts.ended) then
    told = end_batch(key, 1)
    made = made + 1
  end
  if told then redis.call('HSET', key, 'checked', told) end
end
return made
