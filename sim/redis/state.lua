-- What all scripts have in common: how they are called, where their state is, and what they answer.
--
-- ARGV[1]  "decide", or "ask" for the same answer without any change
-- ARGV[2]  "known" if the key has been decided on before, otherwise "new"
-- ARGV[3]  now, in nanoseconds since the run began
--
-- The state under KEYS[1] is a few decimal numbers, the first of them the latest instant decided at.

local deciding = ARGV[1] == 'decide'
local now = integer(ARGV[3])

-- How long a state outlives its last use, in milliseconds of real time. The time of a run is another
-- one, so no period has a part in it: this only keeps an abandoned store from filling up.
local EXPIRY = 3600000

-- recall is the numbers of the state as text, nil if there is none yet.
local function recall()
	local state = redis.call('GET', KEYS[1])
	if state then
		local numbers = {}
		for number in string.gmatch(state, '%d+') do
			numbers[#numbers + 1] = number
		end
		return numbers
	end
	if ARGV[2] == 'known' then
		error('LOST ' .. KEYS[1]) -- to go on as if nothing had been decided would be wrong
	end
end

-- remember keeps the state.
local function remember(...)
	if deciding then
		redis.call('SET', KEYS[1], table.concat({ ... }, ' '), 'PX', EXPIRY)
	end
end

-- answer is the reply: the verdict and its instant, nil for never.
local function answer(verdict, at)
	return verdict .. ' ' .. (at and text(at) or 'never')
end
