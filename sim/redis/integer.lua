-- Whole numbers from 0 up, exactly, however large.
--
-- A Lua number is a double, and exact only below 2^53. So an integer is a plain number as long as it
-- is below 2^53, and otherwise a table of limbs: six decimal digits each, the lowest first, no zero
-- at the top. Equal integers have the same form, and numbers of everyday size cost one operation.

local PLAIN = 9007199254740992 -- 2^53
local LIMB = 1000000           -- limb · limb + limb + limb is far below 2^53

-- normal is the integer that limbs stand for, in its one form.
local function normal(limbs)
	while limbs[#limbs] == 0 do
		limbs[#limbs] = nil
	end
	if #limbs > 3 then
		return limbs
	end
	-- Rounded or not, this is below 2^53 exactly if the integer is.
	local plain = ((limbs[3] or 0) * LIMB + (limbs[2] or 0)) * LIMB + (limbs[1] or 0)
	if plain < PLAIN then
		return plain
	end
	return limbs
end

-- limbsOf is an integer of either form as limbs.
local function limbsOf(a)
	if type(a) == 'table' then
		return a
	end
	local limbs = {}
	while a > 0 do
		local low = math.fmod(a, LIMB) -- exact, where a / LIMB might round
		limbs[#limbs + 1] = low
		a = (a - low) / LIMB
	end
	return limbs
end

-- integer reads decimal digits.
local function integer(digits)
	if #digits <= 15 then
		return tonumber(digits)
	end
	local limbs = {}
	for last = #digits, 1, -6 do
		limbs[#limbs + 1] = tonumber(string.sub(digits, math.max(1, last - 5), last))
	end
	return normal(limbs)
end

-- text writes decimal digits.
local function text(a)
	if type(a) == 'number' then
		return string.format('%.0f', a)
	end
	local parts = { string.format('%d', a[#a]) }
	for i = #a - 1, 1, -1 do
		parts[#parts + 1] = string.format('%06d', a[i])
	end
	return table.concat(parts)
end

-- less is a < b.
local function less(a, b)
	if type(a) == 'number' then
		return type(b) == 'table' or a < b
	end
	if type(b) == 'number' or #a ~= #b then
		return type(b) == 'table' and #a < #b
	end
	for i = #a, 1, -1 do
		if a[i] ~= b[i] then
			return a[i] < b[i]
		end
	end
	return false
end

-- add is a + b.
local function add(a, b)
	if type(a) == 'number' and type(b) == 'number' and a + b < PLAIN then
		return a + b
	end
	a, b = limbsOf(a), limbsOf(b)
	local sum, carry = {}, 0
	for i = 1, math.max(#a, #b) do
		local limb = (a[i] or 0) + (b[i] or 0) + carry
		carry = limb >= LIMB and 1 or 0
		sum[i] = limb - carry * LIMB
	end
	sum[#sum + 1] = carry
	return normal(sum)
end

-- sub is a - b; b must not be larger.
local function sub(a, b)
	if type(a) == 'number' then
		return a - b
	end
	b = limbsOf(b)
	local rest, borrow = {}, 0
	for i = 1, #a do
		local limb = a[i] - (b[i] or 0) - borrow
		borrow = limb < 0 and 1 or 0
		rest[i] = limb + borrow * LIMB
	end
	return normal(rest)
end

-- mul is a * b.
local function mul(a, b)
	if type(a) == 'number' and type(b) == 'number' and a * b < PLAIN then
		return a * b
	end
	a, b = limbsOf(a), limbsOf(b)
	local product = {}
	for i = 1, #a + #b do
		product[i] = 0
	end
	for i = 1, #a do
		local carry = 0
		for j = 1, #b do
			local limb = product[i + j - 1] + a[i] * b[j] + carry
			carry = math.floor(limb / LIMB)
			product[i + j - 1] = limb - carry * LIMB
		end
		product[i + #b] = carry
	end
	return normal(product)
end

-- div is the whole part and the remainder of a / n, for a plain n of at most 10^12: three digits at a
-- time, so that a remainder below n and the next three stay below 10^15.
local function div(a, n)
	if type(a) == 'number' then
		local rest = math.fmod(a, n)
		return (a - rest) / n, rest
	end
	local quotient, rest = {}, 0
	local function bring(digits)
		rest = rest * 1000 + digits
		local q = math.floor(rest / n)
		rest = rest - q * n
		return q
	end
	for i = #a, 1, -1 do
		local low = a[i] % 1000
		local high = bring((a[i] - low) / 1000)
		quotient[i] = high * 1000 + bring(low)
	end
	return normal(quotient), rest
end

-- ceiling is a / n rounded up.
local function ceiling(a, n)
	local quotient, rest = div(a, n)
	if rest > 0 then
		return add(quotient, 1)
	end
	return quotient
end
