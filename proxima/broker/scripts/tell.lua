-- Stands before every script that changes what is told of: writes the stream of events in the same
-- step as the change. The fields are those of proxima/event.py.
local EVENTS = 'proxima:events'
local FINAL = {done = true, failed = true, cancelled = true}
local NAMES = {'batch', 'batches', 'label', 'user', 'host', 'preset', 'job', 'source', 'output',
  'attempt', 'worker', 'reason', 'kind', 'message', 'seconds', 'output_bytes', 'jobs', 'done',
  'failed', 'cancelled', 'swept'}

-- The value in a record that Python wrote; an empty one if it makes no sense.
local function body_of(text)
  local is_good, record = pcall(cjson.decode, text or '')
  if is_good and type(record) == 'table' and type(record.body) == 'table' then return record.body end
  return {}
end

local function plain(value)
  if type(value) == 'number' then return (string.format('%.3f', value):gsub('%.?0+$', '')) end
  return tostring(value)
end

-- Add an event; gives its id.
local function tell(kind, fields)
  local entry = {'version', '1', 'type', kind}
  for _, name in ipairs(NAMES) do
    local value = fields[name]
    if value ~= nil and value ~= cjson.null and value ~= '' then
      entry[#entry + 1] = name
      entry[#entry + 1] = plain(value)
    end
  end
  return redis.call('XADD', EVENTS, '*', unpack(entry))
end

-- The batches that have a job: the one that sent it, and those that share it.
local function batches_of(key)
  local found = {key:match('[^:]+$'):match('^[^-]+')}
  for other in string.gmatch(redis.call('HGET', key, 'sharers') or '', '%S+') do
    found[#found + 1] = other
  end
  return found
end

local function batch_key(key, id)
  return (key:gsub('job:[^:]+$', 'batch:' .. id))
end

local function tell_job(kind, key, fields)
  local job, batches = body_of(redis.call('HGET', key, 'job')), batches_of(key)
  fields.job, fields.batch = key:match('[^:]+$'), batches[1]
  fields.batches = #batches > 1 and table.concat(batches, ' ') or nil
  fields.source, fields.output = job.source, job.output
  return tell(kind, fields)
end

local function tell_batch(kind, key, fields)
  local found = redis.call('HMGET', key, 'record', 'jobs')
  local batch = body_of(found[1])
  fields.batch, fields.jobs = key:match('[^:]+$'), found[2]
  fields.label, fields.user, fields.host = batch.label, batch.user, batch.host
  fields.preset = type(batch.preset) == 'table' and batch.preset.name or nil
  return tell(kind, fields)
end

-- How many jobs of a batch are in which state (what has no name yet is not done), and when the last
-- of them ended.
local function count(key)
  local found = redis.call('HMGET', key, 'jobs', 'shared')
  local shared = cjson.decode(found[2] or '{}')
  local id, prefix = key:match('[^:]+$'), key:gsub('batch:[^:]+$', 'job:')
  local counts = {queued = 0, encoding = 0, done = 0, failed = 0, cancelled = 0, ended = 0}
  for number = 1, tonumber(found[1] or '0') do
    local own = string.format('%s-%05d', id, number)
    local job = redis.call('HMGET', prefix .. (shared[own] or own), 'state', 'published', 'ended')
    local state = job[1]
    counts.ended = math.max(counts.ended, tonumber(job[3] or '0'))
    if state == 'done' and job[2] ~= '1' then state = 'encoding' end
    if state then counts[state] = counts[state] + 1 end
  end
  return counts
end

-- Tell that a batch ended, if no job of it waits or runs; whoever tells it late says so.
local function end_batch(key, swept)
  local counts = count(key)
  local open = counts.queued + counts.encoding
  redis.call('HSET', key, 'open', open)
  if open > 0 then return nil end
  local id = tell_batch(counts.cancelled > 0 and 'batch.cancelled' or 'batch.finished', key, {
    done = counts.done, failed = counts.failed, cancelled = counts.cancelled, swept = swept})
  redis.call('HSET', key, 'told', id)
  return id
end

local function start_batch(key)
  -- Until it is complete, nobody knows of it.
  if redis.call('HEXISTS', key, 'jobs') == 0 then return end
  if redis.call('HSETNX', key, 'started', redis.call('TIME')[1]) == 1 then
    tell_batch('batch.started', key, {})
  end
end

local function job_started(key, worker, attempt)
  tell_job('job.started', key, {worker = worker, attempt = attempt})
  for _, id in ipairs(batches_of(key)) do start_batch(batch_key(key, id)) end
end

-- The event of a job that ended as its record says.
local function tell_end(key, swept)
  local found = redis.call('HMGET', key, 'state', 'attempt', 'outcome')
  local outcome = body_of(found[3])
  local problem = type(outcome.problem) == 'table' and outcome.problem or {}
  local kind = found[1] == 'done' and 'job.finished' or 'job.' .. found[1]
  local id = tell_job(kind, key, {attempt = found[2], worker = outcome.worker, swept = swept,
    seconds = outcome.seconds, output_bytes = outcome.output_bytes,
    kind = problem.kind, message = problem.message})
  redis.call('HSET', key, 'told', id)
end

-- A job ended: tell so, and of each of its batches that ended with it.
local function job_ended(key)
  tell_end(key)
  for _, id in ipairs(batches_of(key)) do
    local batch = batch_key(key, id)
    if redis.call('HEXISTS', batch, 'jobs') == 1 and redis.call('HINCRBY', batch, 'open', -1) <= 0 then
      end_batch(batch)
    end
  end
end

-- A job that had ended waits again, and its batches with it.
local function job_again(key)
  redis.call('HDEL', key, 'told')
  tell_job('job.retried', key, {reason = 'asked'})
  for _, id in ipairs(batches_of(key)) do
    local batch = batch_key(key, id)
    if redis.call('HEXISTS', batch, 'jobs') == 1 then
      if redis.call('HDEL', batch, 'told') == 1 then redis.call('HDEL', batch, 'started') end
      redis.call('HINCRBY', batch, 'open', 1)
    end
  end
end
