-- token-bucket with a continuous refill, N/P = n/p in lowest terms.
--
-- It keeps what is missing from a full bucket, the backlog, in units of 1/p token, of which one
-- nanosecond refills exactly n.
--
-- ARGV[4]  the cost, in units of 1/p
-- ARGV[5]  the capacity, in units of 1/p
-- ARGV[6]  n
-- ARGV[7]  the backlog at instant 0, in units of 1/p
--
-- State: the latest instant, the backlog at it.

local cost, capacity, n = integer(ARGV[4]), integer(ARGV[5]), integer(ARGV[6])
local state = recall() or { '0', ARGV[7] }
local seen, backlog = integer(state[1]), integer(state[2])

if less(now, seen) then
	now = seen
else
	local refilled = mul(sub(now, seen), n)
	backlog = less(refilled, backlog) and sub(backlog, refilled) or 0
end

local verdict, at = 'deny', nil
if not less(capacity, cost) then
	local level = add(backlog, cost)
	if less(capacity, level) then
		at = add(now, ceiling(sub(level, capacity), n))
	else
		verdict, at, backlog = 'admit', now, level
	end
end

remember(text(now), text(backlog))
return answer(verdict, at)
