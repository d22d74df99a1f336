#!/usr/bin/env bash
# Runs the test command of the README under other versions of Node.js: .ci/node-versions.sh [20 22 24]
# Each comes as a package of the registry and works on a copy of its own, with dependencies compiled for it, so that no version is
# served what another one built. Ends with 1 when a test fails, with 3 when all passed but a version was skipped.
# REPORTS names a folder in which the reports stay: node-VERSION.json.
# TESTS: only the tests below these folders, divided by spaces; all without it.
# SECONDS_LEFT: what takes longer is ended, and a version is skipped that SECONDS_NEEDED for its suite are not left for.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

versions=("$@")
[ "${#versions[@]}" -gt 0 ] || versions=(20 22 24)
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
reports="$(mkdir -p "${REPORTS:-$work/reports}" && cd "${REPORTS:-$work/reports}" && pwd)"
package="$(node -p "\`node-\${process.platform === 'win32' ? 'win' : process.platform}-\${process.arch}\`")"
needed="${SECONDS_NEEDED:-420}"

left() { echo "$((${SECONDS_LEFT:-86400} - SECONDS))"; }
has_time() { [ "$(left)" -ge "$needed" ]; }

# within SECONDS COMMAND…: 124 or 137 when it was ended for taking longer. Without SECONDS_LEFT somebody looks on, whose Ctrl-C would
# not get through `timeout`: nothing is ended then.
within() {
  local most="$1"
  shift
  if [ -n "${SECONDS_LEFT:-}" ]; then timeout --kill-after=10 "$most" "$@"; else "$@"; fi
}

# What a step of preparation may take: at most so much, and no more than leaves time for the suite.
room() {
  local spare=$(($(left) - needed))
  [ "$spare" -ge 1 ] || spare=1
  echo "$((spare < $1 ? spare : $1))"
}

was_ended() { [ "$1" = 124 ] || [ "$1" = 137 ]; }

# 0: passed, 1: failed, 3: skipped for the reason in `why`. Called where `set -e` does not work: every step says what its failure means.
run_under() {
  local version="$1" home="$work/node-$1/node_modules/$package" copy="$work/copy-$1" log="$work/install-$1.log" ended=0
  if ! has_time; then
    why="only $(left) s are left, and a suite takes $needed s here"
    return 3
  fi
  mkdir -p "$work/node-$version" "$copy" || return 1
  if ! within "$(room 300)" npm install --prefix "$work/node-$version" --no-save --no-audit --no-fund "$package@$version" >"$log" 2>&1; then
    tail -n 5 "$log"
    why="it could not be installed (package $package of the registry)"
    return 3
  fi
  tar -c --exclude=./node_modules --exclude=./dist --exclude=./data --exclude=./demo-data --exclude=./coverage --exclude=./.git . |
    tar -x -C "$copy" || return 1
  echo "Node.js $(inside node --version)"
  inside within "$(room 420)" npm ci || ended=$?
  if was_ended "$ended"; then
    why='its dependencies were not installed in time'
    return 3
  fi
  [ "$ended" = 0 ] || return 1
  if ! has_time; then
    why="only $(left) s are left after its installation, and a suite takes $needed s here"
    return 3
  fi
  # shellcheck disable=SC2086 # Several words are meant.
  inside within "$(left)" npm test -- ${TESTS:-} --reporter=default --reporter=json --outputFile.json="$reports/node-$version.json" || ended=$?
  if was_ended "$ended"; then
    echo "The suite under Node.js $version was ended for want of time: it counts as failed"
    # Whatever it had written, it was not at its end.
    : >"$reports/node-$version.json"
  fi
  [ "$ended" = 0 ] || return 1
}

# Within run_under: in the copy, with the other Node.js.
inside() {
  (
    cd "$copy" || exit 1
    # The headers that native code is compiled with are those of this version, whatever is set for another.
    export PATH="$home/bin:$PATH" npm_config_nodedir="$home"
    "$@"
  )
}

status=0
said=()
for version in "${versions[@]}"; do
  outcome=0
  why=''
  run_under "$version" || outcome=$?
  if [ "$outcome" = 3 ]; then
    said+=("Node.js $version: skipped, $why")
    [ "$status" = 1 ] || status=3
  else
    # A run that left no report is counted by an empty one.
    [ -e "$reports/node-$version.json" ] || : >"$reports/node-$version.json"
    said+=("Node.js $version: $(node .ci/count-tests.mjs "$reports/node-$version.json" || true)")
    [ "$outcome" = 0 ] || status=1
  fi
  rm -rf "$work/copy-$version" "$work/node-$version"
done
printf '%s\n' "${said[@]}"
exit "$status"
