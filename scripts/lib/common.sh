# Shared by the scripts; sourced, with $root set to the top of the source tree.
# shellcheck shell=bash

say() { printf '%s\n' "$*" >&2; }

die() {
	say "${0##*/}: $*"
	exit 1
}

# as_root COMMAND...: by sudo where this is not root; fails where neither is possible.
as_root() {
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	elif command -v sudo >/dev/null; then
		sudo "$@"
	else
		return 1
	fi
}

# quietly COMMAND...: its output is shown only when it fails.
quietly() {
	local log status=0
	log=$(mktemp)
	"$@" >"$log" 2>&1 </dev/null || status=$?
	[ "$status" -eq 0 ] || tail -n 60 "$log" >&2
	rm -f "$log"
	return "$status"
}

# build_in FOLDER SETUP-ARGUMENT...: builds all; a folder that is set up already keeps its options.
build_in() {
	local dir=$1
	shift
	[ -f "$dir/build.ninja" ] || quietly meson setup "$dir" "${root:?}" "$@" || return
	quietly meson compile -C "$dir"
}

# sources PATTERN...: files of the project whose names match, one a line; also outside of git.
sources() {
	local pattern names=()
	for pattern; do names+=(-o -name "$pattern"); done
	(cd "$root" && find . \( -name .git -o -name 'build*' \) -prune -o -type f \( "${names[@]:1}" \) -print) |
		sed 's,^\./,,' | sort
}
