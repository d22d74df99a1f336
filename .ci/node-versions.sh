#!/usr/bin/env bash
# Runs the test command of the README under other versions of Node.js: .ci/node-versions.sh [20 22 24]
# Each comes as a package of the registry and works on a copy of its own, with dependencies compiled for it, so that no version is
# served what another one built. Ends with 1 when a test fails, with 3 when all passed but a version could not be had.
# REPORTS names a folder in which the reports stay: node-VERSION.json.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

versions=("$@")
[ "${#versions[@]}" -gt 0 ] || versions=(20 22 24)
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
reports="$(mkdir -p "${REPORTS:-$work/reports}" && cd "${REPORTS:-$work/reports}" && pwd)"
package="$(node -p "\`node-\${process.platform === 'win32' ? 'win' : process.platform}-\${process.arch}\`")"

run_under() {
  local version="$1" home="$work/node-$1/node_modules/$package" copy="$work/copy-$1" log="$work/install-$1.log"
  mkdir -p "$work/node-$version" "$copy"
  if ! npm install --prefix "$work/node-$version" --no-save --no-audit --no-fund "$package@$version" >"$log" 2>&1; then
    tail -n 5 "$log"
    echo "Node.js $version could not be installed (package $package of the registry): its run is SKIPPED"
    return 3
  fi
  tar -c --exclude=./node_modules --exclude=./dist --exclude=./data --exclude=./demo-data --exclude=./coverage --exclude=./.git . |
    tar -x -C "$copy"
  (
    cd "$copy" || exit 1
    # The headers that native code is compiled with are those of this version, whatever is set for another.
    export PATH="$home/bin:$PATH" npm_config_nodedir="$home"
    echo "Node.js $(node --version)"
    npm ci && npm test -- --reporter=default --reporter=json --outputFile.json="$reports/node-$version.json"
  ) || { [ -s "$reports/node-$version.json" ] || : >"$reports/node-$version.json"; return 1; }
}

status=0
said=()
for version in "${versions[@]}"; do
  outcome=0
  run_under "$version" || outcome=$?
  if [ "$outcome" = 3 ]; then
    said+=("Node.js $version: skipped, it could not be installed")
    [ "$status" = 1 ] || status=3
  else
    said+=("Node.js $version: $(node .ci/count-tests.mjs "$reports/node-$version.json" || true)")
    [ "$outcome" = 0 ] || status=1
  fi
  rm -rf "$work/copy-$version" "$work/node-$version"
done
printf '%s\n' "${said[@]}"
exit "$status"
