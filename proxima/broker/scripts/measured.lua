-- measured(speeds, written; kind, amount, seconds, fade, most, seconds to keep): add a job to the
-- sums of its kind, in which the earlier ones fade; of too many kinds the stalest is forgotten.
local kind, amount, seconds = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local had = redis.call('HGET', KEYS[1], kind)
local sums = {string.match(had or '', '^(%S+) (%S+)$')}
local before, took = tonumber(sums[1] or ''), tonumber(sums[2] or '')
if before and took then
  amount = amount + ARGV[4] * before
  seconds = seconds + ARGV[4] * took
end
redis.call('HSET', KEYS[1], kind, string.format('%.6g %.6g', amount, seconds))
redis.call('ZADD', KEYS[2], redis.call('TIME')[1], kind)
while redis.call('ZCARD', KEYS[2]) > tonumber(ARGV[5]) do
  redis.call('HDEL', KEYS[1], redis.call('ZPOPMIN', KEYS[2])[1])
end
redis.call('EXPIRE', KEYS[1], ARGV[6])
redis.call('EXPIRE', KEYS[2], ARGV[6])
return 1
