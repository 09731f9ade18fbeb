-- enlist(job, waiting, output; id, likeness, job, priority, milliseconds, seconds): keep a new job that
-- waits; or give the id of the one that is making the same output of the same source right now.
local held = redis.call('GET', KEYS[3])
local id, likeness = string.match(held or '', '^(%S+) (%S+)$')
if id and id ~= ARGV[1] and likeness == ARGV[2] then
  local found = redis.call('HMGET', (KEYS[1]:gsub('[^:]+$', id)), 'state', 'published')
  local state = found[1]
  if state == 'queued' or state == 'encoding' or (state == 'done' and found[2] ~= '1') then
    -- Its end is told of both batches.
    local holder, sharer = KEYS[1]:gsub('[^:]+$', id), ARGV[1]:match('^[^-]+')
    local sharers = redis.call('HGET', holder, 'sharers') or ''
    if not string.find(' ' .. sharers .. ' ', ' ' .. sharer .. ' ', 1, true) then
      redis.call('HSET', holder, 'sharers', sharers == '' and sharer or sharers .. ' ' .. sharer)
    end
    return id
  end
end
redis.call('SETEX', KEYS[3], ARGV[6], ARGV[1] .. ' ' .. ARGV[2])
redis.call('HSET', KEYS[1], 'job', ARGV[3], 'state', 'queued', 'attempt', 0, 'priority', ARGV[4])
redis.call('EXPIRE', KEYS[1], ARGV[6])
redis.call('ZADD', KEYS[2], ARGV[5], ARGV[1])
return ''
