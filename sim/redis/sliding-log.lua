-- sliding-log remembers what it admitted and counts what is less than P old.
--
-- ARGV[4]  the cost
-- ARGV[5]  N
-- ARGV[6]  P, in nanoseconds
-- ARGV[7]  count_denied, "true" or "false"
--
-- State: the latest instant, how many entries there have been, the sum of all their costs modulo WRAP.
-- The log under KEYS[2] is a sorted set of entries "instant cost before number", the number being the
-- score, so that requests at one instant stay apart and in order. before is the sum of the costs of
-- all earlier entries modulo WRAP: the units between any two entries are then one subtraction away.

local cost = integer(ARGV[4])
local limit, period, countDenied = integer(ARGV[5]), integer(ARGV[6]), ARGV[7] == 'true'
local WRAP = 1000000000000000 -- 10^15; a log never holds more than 2N, 2·10^12

local state = recall() or { '0', '0', '0' }
local seen, number, total = integer(state[1]), integer(state[2]), integer(state[3])
local size = redis.call('ZCARD', KEYS[2])
if less(now, seen) then
	now = seen
end

-- entry reads the entry at a place in the log, the oldest being 0.
local function entry(place)
	local found = redis.call('ZRANGE', KEYS[2], place, place)[1]
	local instant, units, before = string.match(found, '^(%d+) (%d+) (%d+) ')
	return { instant = integer(instant), units = integer(units), before = integer(before) }
end

-- first is the first place from low on whose entry satisfies a condition that holds for all later
-- ones as well; size if none does.
local function first(low, condition)
	if low == size or condition(entry(low)) then
		return low
	end
	local high = size
	while high - low > 1 do -- the condition fails at low
		local middle = math.floor((low + high) / 2)
		if condition(entry(middle)) then
			high = middle
		else
			low = middle
		end
	end
	return high
end

-- One that is exactly P old has left.
local oldest = first(0, function(e) return less(now, add(e.instant, period)) end)

-- from is the sum of the costs from the oldest entry up to where the running total was sum.
local start = oldest < size and entry(oldest).before or total
local function from(sum) return (sum - start) % WRAP end

local function push(units)
	if deciding then
		local record = text(now) .. ' ' .. text(units) .. ' ' .. text(total) .. ' ' .. text(number)
		redis.call('ZADD', KEYS[2], text(number), record)
	end
	number, total, size = number + 1, (total + units) % WRAP, size + 1
end

local verdict, at = 'deny', nil
local possible, sum = not less(limit, cost), from(total)
if possible and cost <= limit - sum then
	push(cost)
	verdict, at = 'admit', now
else
	if countDenied and deciding then
		push(possible and cost or limit) -- more than N keeps everything out as N does
		sum = from(total)
		-- So does what is older than the newest N units.
		while size - oldest > 1 and sum - entry(oldest).units >= limit do
			sum = sum - entry(oldest).units
			oldest = oldest + 1
			start = entry(oldest).before
		end
	end
	if possible then
		local excess = sum - limit + cost -- units that must leave
		local last = entry(first(oldest, function(e) return from(e.before) + e.units >= excess end))
		at = add(last.instant, period)
	end
end

if deciding then
	if oldest > 0 then
		redis.call('ZREMRANGEBYRANK', KEYS[2], 0, oldest - 1)
	end
	redis.call('PEXPIRE', KEYS[2], EXPIRY)
end
remember(text(now), text(number), text(total))
return answer(verdict, at)
