-- sums(batch; job): one letter a job for its state, in their order, and sums over them, as JSON. The
-- second key is that of a job without its id. Changes nothing.
local batch = redis.call('HMGET', KEYS[1], 'jobs', 'shared', 'requeues')
local shared = cjson.decode(batch[2] or '{}')
local id = KEYS[1]:match('[^:]+$')
local letters, ended, bytes, hosts = {}, 0, 0, {}
for number = 1, tonumber(batch[1] or '0') do
  local own = string.format('%s-%05d', id, number)
  local found = redis.call('HMGET', KEYS[2] .. (shared[own] or own), 'state', 'ended', 'outcome')
  letters[number] = string.sub(found[1] or '-', 1, 1)
  ended = math.max(ended, tonumber(found[2] or '0'))
  local outcome = found[3]
  if outcome then
    bytes = bytes + tonumber(outcome:match('"output_bytes":(%d+)') or '0')
    local host = outcome:match('"worker":"[^"@]*@([^"]+)"')
    if host then hosts[host] = (hosts[host] or 0) + 1 end
  end
end
return {table.concat(letters), string.format('%.0f', ended), string.format('%.0f', bytes),
  next(hosts) and cjson.encode(hosts) or '{}', batch[3] or '0'}
