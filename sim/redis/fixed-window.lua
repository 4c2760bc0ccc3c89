-- fixed-window counts per window and forgets everything at its end.
--
-- ARGV[4]  the cost
-- ARGV[5]  anchor: clock: where the window of now ends; anchor: first: 0, it follows from the state
-- ARGV[6]  N
-- ARGV[7]  P, in nanoseconds
-- ARGV[8]  count_denied, "true" or "false"
--
-- State: the latest instant, the count, where its window ends.

local cost, edge = integer(ARGV[4]), integer(ARGV[5])
local limit, period, countDenied = integer(ARGV[6]), integer(ARGV[7]), ARGV[8] == 'true'
local state = recall() or { '0', '0', '0' }
local seen, count, ends = integer(state[1]), integer(state[2]), integer(state[3])

if less(now, seen) then
	now = seen
end
if not less(now, ends) then -- that window is over
	count, ends = 0, edge
end

-- set gives the window its count, opening one where there is none.
local function set(units)
	if not less(now, ends) then
		ends = add(now, period)
	end
	count = units
end

local verdict, at = 'deny', nil
local possible = not less(limit, cost)
if possible and cost <= limit - count then
	set(count + cost)
	verdict, at = 'admit', now
else
	if countDenied then
		set(limit) -- a full window cannot get fuller
	end
	if possible then
		at = ends
	end
end

remember(text(now), text(count), text(ends))
return answer(verdict, at)
