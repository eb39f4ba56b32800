# Shared by the setup scripts: where things go, and when they have to be made again.

# Unpacked archives live here, outside the repository, so that clones share them.
cache_root=${XDG_CACHE_HOME:-$HOME/.cache}/quintet
# This script is the toolchain's recipe: another recipe gets another folder.
toolchain=$cache_root/toolchain-$(sha256sum <tools/toolchain/emscripten.sh | cut -c1-12)
# What CMake sees: one fixed name inside the (ignored) build folder.
toolchain_link=build/toolchain

say() { printf 'setup: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

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

# A stamp per profile; `test` includes `build`.
stamp_of() { printf 'build/setup-%s.stamp' "$1"; }

setup_key() {
  cat tools/setup tools/toolchain/*.sh package-lock.json tools/node/package-lock.json | sha256sum
}

setup_is_current() {
  local stamp
  for stamp in "$(stamp_of test)" "$(stamp_of "$1")"; do
    if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$(setup_key)" ] && setup_is_whole "$1"; then return 0; fi
  done
  return 1
}

# Cheap signs that nothing was removed since: one file of each part.
setup_is_whole() {
  [ -x "$toolchain_link/bin/em++" ] && [ -f "$toolchain_link/complete" ] &&
    [ -d node_modules/esbuild ] && command -v cmake ninja >/dev/null &&
    { [ "$1" = build ] || { [ -d tools/node/node_modules/node24 ] && command -v clang++-19 g++ chromium >/dev/null; }; }
}

remember_setup() { setup_key >"$(stamp_of "$1")"; }
