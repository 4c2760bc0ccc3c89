#!/bin/sh
# How fast is replay beside goaccess and beside counting clients with cut, sort and uniq, on the
# same file in the combined format? Prints seconds of processor time and of the clock for each; the
# ratio of the former does not depend on what else the machine does.
#
#	go run ./scenarios/accesslog/synthetic -lines 1000000 -clients 2000 > access.log
#	go build -o ratesim . && scenarios/accesslog/compare.sh ./ratesim access.log
#
# goaccess is a package of Debian; without it that line is left out.
set -eu
program=$1 log=$2

measure() { # NAME COMMAND...
	name=$1
	shift
	/usr/bin/env bash -c 'TIMEFORMAT="%U %S %R"; time "$@" >/dev/null 2>&1' - "$@" 2>&1 |
		awk -v name="$name" -v lines="$lines" \
			'{ printf "%-32s %8.2f s of processor time, %8.2f s; %10.0f lines a second of processor time\n", name, $1 + $2, $3, lines / ($1 + $2 + 1e-9) }'
}

lines=$(wc -l <"$log")
echo "$lines lines"
measure "ratesim replay, every algorithm" "$program" replay "$log" --limit 60/m -f csv
measure "cut, sort, uniq -c" sh -c "cut -d' ' -f1 '$log' | sort | uniq -c"
measure "the same in the C locale" sh -c "LC_ALL=C; export LC_ALL; cut -d' ' -f1 '$log' | sort | uniq -c"
if command -v goaccess >/dev/null; then
	measure "goaccess" goaccess "$log" --log-format=COMBINED --no-progress -o json
fi
