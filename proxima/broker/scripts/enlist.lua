-- enlist(job, waiting, output, delayed, paused; id, likeness, job, priority, milliseconds, seconds, due,
-- tag):
-- keep a new job that waits, or is due later; or give the id of the one that is making the same output of the same source right now.
local held = redis.call('GET', KEYS[3])
local id, likeness = string.match(held or '', '^(%S+) (%S+)$')
if id and id ~= ARGV[1] and likeness == ARGV[2] then
  local found = redis.call('HMGET', (KEYS[1]:gsub('[^:]+$', id)), 'state', 'published', 'due')
  local state = found[1]
  -- What starts later, or nobody knows when, is not what this one is to wait for.
  if redis.call('HEXISTS', KEYS[5], id:match('^[^-]+')) == 1 then state = '' end
  if state == 'queued' and found[3] and redis.call('ZSCORE', KEYS[4], id) then state = '' end
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
redis.call('HSET', KEYS[1], 'job', ARGV[3], 'state', 'queued', 'attempt', 0, 'priority', ARGV[4],
  'tag', ARGV[8])
redis.call('EXPIRE', KEYS[1], ARGV[6])
if tonumber(ARGV[7]) > 0 then
  redis.call('HSET', KEYS[1], 'due', ARGV[7])
  redis.call('ZADD', KEYS[4], ARGV[7], ARGV[1])
else
  redis.call('ZADD', KEYS[2], ARGV[5], ARGV[1])
end
return ''
