package redis

// Integers is the arithmetic that all scripts begin with.
var Integers = integerLua
