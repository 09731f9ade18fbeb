--#tell
-- beat(workers; worker, record): put a worker on the roster, or keep it there, and tell what is new.
local had = redis.call('HGET', KEYS[1], ARGV[1])
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
local old, new = body_of(had), body_of(ARGV[2])
local function news(kind, message)
  tell(kind, {worker = ARGV[1], host = new.host, message = message})
end
if not had then news('worker.up') end
local was_drained, was_unwell = old.draining or false, old.unwell or ''
local is_drained, is_unwell = new.draining or false, new.unwell or ''
if is_drained ~= was_drained then news(is_drained and 'worker.drained' or 'worker.undrained') end
if is_unwell ~= '' and was_unwell == '' then news('worker.unwell', is_unwell) end
if is_unwell == '' and was_unwell ~= '' then news('worker.well') end
return 1
