-- gcra, the generic cell rate algorithm, with T = P/N = p/n in lowest terms.
--
-- It keeps one instant, the theoretical arrival time. Instants and lengths that are multiples of T are
-- whole nanoseconds and a fraction in units of 1/n.
--
-- ARGV[4], ARGV[5]  c·T, the cost: nanoseconds, fraction
-- ARGV[6], ARGV[7]  B·T, the tolerance: nanoseconds, fraction
-- ARGV[8]           n
--
-- State: the latest instant, the theoretical arrival time as nanoseconds and fraction.

local cost = { ns = integer(ARGV[4]), frac = integer(ARGV[5]) }
local tolerance = { ns = integer(ARGV[6]), frac = integer(ARGV[7]) }
local n = integer(ARGV[8])

local function before(a, b)
	return less(a.ns, b.ns) or not less(b.ns, a.ns) and a.frac < b.frac
end

local function later(a, b)
	local ns, frac = add(a.ns, b.ns), a.frac + b.frac
	if frac >= n then
		return { ns = add(ns, 1), frac = frac - n }
	end
	return { ns = ns, frac = frac }
end

local state = recall() or { '0', '0', '0' }
local seen, tat = integer(state[1]), { ns = integer(state[2]), frac = integer(state[3]) }
if less(now, seen) then
	now = seen
end

local verdict, at = 'deny', nil
if not before(tolerance, cost) then
	local arrival = { ns = now, frac = 0 }
	local due = later(before(arrival, tat) and tat or arrival, cost)
	if before(later(arrival, tolerance), due) then
		at = sub(due.ns, tolerance.ns)
		if due.frac > tolerance.frac then
			at = add(at, 1) -- a fraction is left: the next whole nanosecond
		end
	else
		verdict, at, tat = 'admit', now, due
	end
end

remember(text(now), text(tat.ns), text(tat.frac))
return answer(verdict, at)
