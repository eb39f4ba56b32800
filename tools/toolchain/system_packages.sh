# shellcheck shell=bash
# Packages of the system itself, all from Debian 12's own archive.

build_packages=(cmake ninja-build python3 rapidjson-dev libstb-dev clang-19 lld-19 llvm-19)
example_packages=(redis-server)
test_packages=(g++ ccache codespell clang-format-19 libclang-rt-19-dev googletest libbenchmark-dev unicode-data chromium firefox-esr
  webkit2gtk-driver xvfb parallel nginx-light)

# Elsewhere than on Debian nothing can be installed, so these commands must be there already.
build_commands=(cmake ninja python3 em++)
example_commands=(redis-server)
test_commands=(g++ codespell clang++-19 clang-format-19 chromium firefox-esr WebKitWebDriver Xvfb parallel nginx)

# list_packages PROFILE: sets `packages` and `commands`.
list_packages() {
  packages=("${build_packages[@]}") commands=("${build_commands[@]}")
  if profile_contains "$1" examples; then packages+=("${example_packages[@]}") commands+=("${example_commands[@]}"); fi
  if profile_contains "$1" test; then packages+=("${test_packages[@]}") commands+=("${test_commands[@]}"); fi
}

# Fresh machines have no list of what there is, or an old one.
update_package_lists() {
  local packages commands
  list_packages "$1"
  is_debian_12 || return 0
  if [ -n "$(missing_packages "${packages[@]}")" ] || [ -z "$(debian_mirror)" ]; then as_root apt-get update -qq; fi
}

install_system_packages() {
  local packages commands
  list_packages "$1"
  if ! is_debian_12; then
    require_commands "${commands[@]}"
    return
  fi
  local missing
  missing=$(missing_packages "${packages[@]}")
  # shellcheck disable=SC2086  # one word per package
  if [ -n "$missing" ]; then timed "apt packages" apt_install $missing; fi
}

# A runlevel of 1: what is installed does not start as a service; the examples start a Redis of their own.
apt_install() {
  as_root env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get install -qq -y --no-install-recommends "$@"
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
