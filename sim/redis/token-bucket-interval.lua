-- token-bucket with refill: interval. N tokens arrive at once at every multiple of P since the Unix
-- epoch, nothing in between.
--
-- ARGV[4]  the cost
-- ARGV[5]  how many refills there have been up to now since instant 0
-- ARGV[6]  the instant of the next one
-- ARGV[7]  N
-- ARGV[8]  P, in nanoseconds
-- ARGV[9]  the burst
-- ARGV[10] the tokens at instant 0
--
-- State: the latest instant, the tokens at it, the refills up to it, the instant of the next one.

local cost, refills, edge = integer(ARGV[4]), integer(ARGV[5]), integer(ARGV[6])
local limit, period, burst = integer(ARGV[7]), integer(ARGV[8]), integer(ARGV[9])
local state = recall() or { '0', ARGV[10], '0', '0' }
local seen, tokens, had = integer(state[1]), integer(state[2]), integer(state[3])

if less(now, seen) then
	now, refills, edge = seen, had, integer(state[4])
else
	local more = mul(sub(refills, had), limit)
	tokens = less(more, burst - tokens) and tokens + more or burst
end

local verdict, at = 'deny', nil
if not less(burst, cost) then
	if cost <= tokens then
		verdict, at, tokens = 'admit', now, tokens - cost
	else
		local before = div(cost - tokens - 1, limit) -- refills before the one that is enough
		at = add(edge, mul(before, period))
	end
end

remember(text(now), text(tokens), text(refills), text(edge))
return answer(verdict, at)
