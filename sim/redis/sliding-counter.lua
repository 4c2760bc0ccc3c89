-- sliding-counter estimates the last P from two fixed windows: prev·(P−e)/P + cur, where e is how
-- far the current one has run.
--
-- ARGV[4]  the cost
-- ARGV[5]  where the window of now ends
-- ARGV[6]  N
-- ARGV[7]  P, in nanoseconds
-- ARGV[8]  rounding, "exact" or "floor"
--
-- State: the latest instant, prev, cur, where the current window ends.

local cost, edge = integer(ARGV[4]), integer(ARGV[5])
local limit, period, floor = integer(ARGV[6]), integer(ARGV[7]), ARGV[8] == 'floor'
local state = recall() or { '0', '0', '0', ARGV[5] }
local seen, prev, cur, ends = integer(state[1]), integer(state[2]), integer(state[3]), integer(state[4])

if less(now, seen) then
	now = seen
elseif less(ends, edge) then
	prev = less(add(ends, period), edge) and 0 or cur
	cur, ends = 0, edge
end

-- bound is the most that count·(P−e) may be for the weighted count to be at most room, exactly or,
-- with rounding: floor, truncated.
local function bound(room)
	if floor then
		return sub(mul(room + 1, period), 1)
	end
	return mul(room, period)
end

-- longest is the longest P−e at which count weighs at most room.
local function longest(count, room)
	if count == 0 then
		return period
	end
	local left = div(bound(room), count)
	return less(left, period) and left or period
end

local verdict, at = 'deny', nil
if not less(limit, cost) then
	local room = limit - cur - cost
	if room >= 0 and not less(bound(room), mul(prev, sub(ends, now))) then
		verdict, at, cur = 'admit', now, cur + cost
	elseif room >= 0 then
		at = sub(ends, longest(prev, room))
	else -- in the next window, where the earlier count is this one's
		at = sub(add(ends, period), longest(cur, limit - cost))
	end
end

remember(text(now), text(prev), text(cur), text(ends))
return answer(verdict, at)
