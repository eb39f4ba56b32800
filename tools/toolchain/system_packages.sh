# shellcheck shell=bash
# Packages of the system itself, all from Debian 12's own archive.

build_packages=(cmake ninja-build python3 rapidjson-dev libstb-dev clang-19 lld-19 llvm-19)
example_packages=(redis-server)
test_packages=(g++ ccache clang-format-19 libclang-rt-19-dev googletest libbenchmark-dev unicode-data chromium firefox-esr parallel)

# Elsewhere than on Debian nothing can be installed, so these commands must be there already.
build_commands=(cmake ninja python3 em++)
example_commands=(redis-server)
test_commands=(g++ clang++-19 clang-format-19 chromium parallel)

install_system_packages() {
  local packages=("${build_packages[@]}") commands=("${build_commands[@]}")
  if profile_contains "$1" examples; then packages+=("${example_packages[@]}") commands+=("${example_commands[@]}"); fi
  if profile_contains "$1" test; then packages+=("${test_packages[@]}") commands+=("${test_commands[@]}"); fi

  if ! is_debian_12; then
    require_commands "${commands[@]}"
    return
  fi
  local missing
  missing=$(missing_packages "${packages[@]}")
  [ -n "$missing" ] || return 0
  say "installing with apt:" $missing
  as_root apt-get update -qq
  # A runlevel of 1: what is installed does not start as a service; the examples start a Redis of their own.
  # shellcheck disable=SC2086  # one word per package
  as_root env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get install -qq -y --no-install-recommends $missing >/dev/null
}

missing_packages() {
  local package
  for package in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || printf '%s ' "$package"
  done
}

require_commands() {
  local name
  for name in "$@"; do
    command -v "$name" >/dev/null || fail "'$name' is not on PATH. On Debian 12 this script installs \
everything; elsewhere install it first (em++ comes with emsdk, 3.1.69 or newer: https://emscripten.org)."
  done
}
