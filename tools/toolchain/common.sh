# shellcheck shell=bash
# Shared by the setup scripts: where things go, and when they have to be made again.

# Unpacked archives live here, outside the repository, so that clones share them.
cache_root=${XDG_CACHE_HOME:-$HOME/.cache}/quintet
# This script is the toolchain's recipe: another recipe gets another folder.
toolchain=$cache_root/toolchain-$(sha256sum <tools/toolchain/emscripten.sh | cut -c1-12)
# What CMake sees: one fixed name inside the (ignored) build folder.
toolchain_link=build/toolchain

commands_exist() {
  local name
  for name in "$@"; do command -v "$name" >/dev/null || return 1; done
}

say() { printf 'setup: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

# timed NAME COMMAND...: reports afterwards how long it took. The output is shown only where it fails.
timed() {
  local name=$1 began=$SECONDS log
  shift
  log=$(mktemp)
  # In the background, because there a failing line still ends a function (set -e).
  "$@" >"$log" 2>&1 &
  wait $! || fail "$name: $* failed:"$'\n'"$(tail -n 30 "$log")"
  rm "$log"
  say "  $name: $((SECONDS - began)) s"
}

# Runs commands at the same time; fails where one of them does.
all_of() {
  local command job jobs=() failed=0
  for command in "$@"; do
    $command &
    jobs+=($!)
  done
  for job in "${jobs[@]}"; do wait "$job" || failed=1; done
  [ "$failed" = 0 ] || exit 1
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else
    command -v sudo >/dev/null || fail "needs root or sudo to run: $*"
    sudo "$@"
  fi
}

is_debian_12() { grep -qs '^ID=debian' /etc/os-release && grep -qs '^VERSION_ID="12"' /etc/os-release; }

link_toolchain() {
  mkdir -p build
  ln -sfn "$toolchain" "$toolchain_link"
}

# A stamp per profile.
profiles=(start build web examples test bench)
stamp_of() { printf 'build/setup-%s.stamp' "$1"; }

# profile_contains PROFILE OTHER: whether PROFILE is OTHER or contains it.
profile_contains() {
  local contained
  case $1 in
    start) contained='start' ;;
    build) contained='start build' ;;
    web | examples) contained="start build $1" ;;
    test) contained='start build web examples test' ;;
    bench) contained='start build web examples test bench' ;;
  esac
  [[ " $contained " == *" $2 "* ]]
}

setup_key() {
  cat tools/setup tools/toolchain/*.sh ./package-lock.json tools/node/package-lock.json web/package-lock.json examples/*/package-lock.json bench/package-lock.json | sha256sum
}

setup_is_current() {
  local name key
  key=$(setup_key)
  for name in "${profiles[@]}"; do
    if profile_contains "$name" "$1" && [ "$(cat "$(stamp_of "$name")" 2>/dev/null)" = "$key" ]; then
      setup_is_whole "$1"
      return
    fi
  done
  return 1
}

# Cheap signs that nothing was removed since: one file of each part.
setup_is_whole() {
  local name
  [ -f "$toolchain_link/complete" ] && [ -d node_modules/rolldown ] && commands_exist cmake ninja || return 1
  if profile_contains "$1" build; then [ -f "$toolchain_link/memory64" ] || return 1; fi
  if profile_contains "$1" web; then [ -d web/node_modules ] || return 1; fi
  if profile_contains "$1" examples; then
    [ -d examples/bulk-embedding/node_modules ] && [ -d examples/site-search/node_modules ] && commands_exist redis-server || return 1
  fi
  if profile_contains "$1" test; then
    [ -d tools/node/node_modules/node24 ] && commands_exist clang++-19 g++ chromium parallel || return 1
    for name in electron nextjs sveltekit; do [ -d "examples/$name/node_modules" ] || return 1; done
  fi
  if profile_contains "$1" bench; then [ -d bench/node_modules ] || return 1; fi
}

remember_setup() { setup_key >"$(stamp_of "$1")"; }
