# shellcheck shell=bash
# Emscripten 3.1.69 or newer with clang 19 or newer: older ones emit obsolete relaxed SIMD opcodes.
#
# One that is on PATH is taken. Debian 12 has only 3.1.6, so there the packages of Debian 13 are unpacked (not
# installed) next to the compiler of Debian 12. apt downloads them through a root of its own, so their signatures are
# checked and the system's package lists stay as they are.

minimum_emscripten=3.1.69
debian_keyring=/usr/share/keyrings/debian-archive-keyring.gpg
# libc6 and the two runtime libraries are what the programs of binaryen are linked to.
# The last two are for tools/toolchain/headers.sh: Debian 12's SIMDe has no relaxed SIMD, and its stb_image computes
# with undefined values for some broken JPEG files.
trixie_packages=('emscripten=3.1.69+dfsg-*' 'binaryen=120-*' node-acorn libc6 libstdc++6 libgcc-s1 'libsimde-dev=0.8.*'
  'libstb-dev=0.0~git20241109*')

# Of the 1.8 GB that the packages unpack to: Emscripten's own tests, and libraries for dynamic linking, sanitizers and
# Emscripten's own threads.
unneeded_files=(--exclude='*/emscripten/test' --exclude='*/pic' --exclude='*/lto-pic' --exclude='*san*.a' --exclude='*-ww*.a'
  --exclude='libSDL*.a' --exclude='libwasmfs*.a')

# Two clones may be set up at the same time: each part runs under a lock.
locked() {
  mkdir -p "$cache_root"
  (
    flock 9
    "$@"
  ) 9>"$cache_root/lock"
}

# All but what needs the compilers, which may be installed at the same time.
install_emscripten() { locked prepare_toolchain; }
finish_emscripten() { locked complete_toolchain; }

prepare_toolchain() {
  if [ -f "$toolchain/prepared" ]; then return; fi
  rm -rf "$toolchain"
  mkdir -p "$toolchain/bin"
  if emscripten_on_path_is_new_enough; then
    use_emscripten_on_path
  elif is_debian_12 && [ "$(dpkg --print-architecture)" = amd64 ]; then
    timed "Emscripten from Debian 13" unpack_trixie_packages
    wrap_binaryen_programs
    configure_emscripten
    write_emscripten_wrappers
  else
    fail "no Emscripten $minimum_emscripten or newer on PATH. Install emsdk (https://emscripten.org/docs/getting_started/downloads.html)" \
      "and run 'source emsdk_env.sh' first. On Debian 12 (amd64) this script makes the toolchain itself."
  fi
  touch "$toolchain/prepared"
}

complete_toolchain() {
  if [ ! -f "$toolchain/complete" ]; then check_emscripten; fi
}

emscripten_on_path_is_new_enough() {
  command -v em++ >/dev/null || return 1
  local version
  version=$(em++ -dumpversion 2>/dev/null) || return 1
  [ "$(printf '%s\n%s\n' "$minimum_emscripten" "$version" | sort -V | head -n 1)" = "$minimum_emscripten" ]
}

use_emscripten_on_path() {
  local tool
  for tool in emcc em++ emar emranlib; do
    printf '#!/bin/sh\nexec "%s" "$@"\n' "$(command -v $tool)" >"$toolchain/bin/$tool"
    chmod +x "$toolchain/bin/$tool"
  done
}

# The mirror that this machine's own packages come from, which has Debian 13 as well. Nothing before `apt-get update`.
debian_mirror() {
  apt-get indextargets --format '$(REPO_URI)' 'Identifier: Packages' 'Release: bookworm' | sed -n 1p
}

unpack_trixie_packages() {
  local apt=$toolchain/apt
  mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial"
  : >"$apt/state/status"
  local mirror
  mirror=$(debian_mirror)
  [ -n "$mirror" ] || fail "apt has no source for Debian 12 (bookworm), whose mirror is needed for packages of Debian 13"
  echo "deb [signed-by=$debian_keyring] $mirror trixie main" >"$apt/sources.list"
  cat >"$apt/apt.conf" <<CONF
Dir::Etc::sourcelist "$apt/sources.list";
Dir::Etc::sourceparts "-";
Dir::State "$apt/state";
Dir::State::status "$apt/state/status";
Dir::Cache "$apt/cache";
APT::Sandbox::User "root";
CONF
  (
    export APT_CONFIG=$apt/apt.conf
    apt-get update -qq
    cd "$apt"
    apt-get download -qq "${trixie_packages[@]}"
  )
  mkdir "$toolchain/root"
  local deb
  for deb in "$apt"/*.deb; do
    dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$toolchain/root" --no-same-owner "${unneeded_files[@]}"
  done
  rm -rf "$apt"
}

# These programs need a newer libc than the system's, so its own loader starts them.
wrap_binaryen_programs() {
  local libraries=$toolchain/root/usr/lib/x86_64-linux-gnu program
  mkdir -p "$toolchain/binaryen/bin"
  for program in "$toolchain"/root/usr/bin/wasm* ; do
    cat >"$toolchain/binaryen/bin/$(basename "$program")" <<SH
#!/bin/sh
exec "$libraries/ld-linux-x86-64.so.2" --library-path "$libraries" "$program" "\$@"
SH
  done
  chmod +x "$toolchain"/binaryen/bin/*
  ln -s "$toolchain/root/usr/lib" "$toolchain/binaryen/lib"
}

configure_emscripten() {
  local share=$toolchain/root/usr/share
  cat >"$toolchain/emscripten.config" <<CONFIG
LLVM_ROOT = '/usr/bin'
LLVM_ADD_VERSION = '19'
CLANG_ADD_VERSION = '19'
BINARYEN_ROOT = '$toolchain/binaryen'
NODE_JS = 'node'
# The package brings its system libraries built; nothing is compiled into the cache.
FROZEN_CACHE = True
CONFIG
  # Emscripten's JavaScript optimizer imports acorn as an ES module, which NODE_PATH does not reach.
  mkdir -p "$share/emscripten/node_modules"
  ln -s "$share/nodejs/acorn" "$share/emscripten/node_modules/acorn"
}

write_emscripten_wrappers() {
  local share=$toolchain/root/usr/share tool
  for tool in emcc em++ emar emranlib; do
    cat >"$toolchain/bin/$tool" <<SH
#!/bin/sh
export EM_CONFIG="$toolchain/emscripten.config" NODE_PATH="$share/nodejs"
exec "$share/emscripten/$tool" "\$@"
SH
    chmod +x "$toolchain/bin/$tool"
  done
}

# A program that needs exactly what quintet needs: C++23, SIMD, link-time optimization, the JS glue.
check_emscripten() {
  local trial=$toolchain/trial
  mkdir -p "$trial"
  cat >"$trial/trial.cc" <<'CC'
#include <wasm_simd128.h>
#include <expected>
#include <cstdio>
int main() {
  std::expected<float, int> x = 2.0f;
  v128_t sum = wasm_f32x4_relaxed_madd(wasm_f32x4_splat(*x), wasm_f32x4_splat(3), wasm_f32x4_splat(1));
  std::printf("%g\n", static_cast<double>(wasm_f32x4_extract_lane(sum, 0)));
}
CC
  "$toolchain/bin/em++" -std=c++23 -O3 -flto -mrelaxed-simd -fno-exceptions "$trial/trial.cc" -o "$trial/trial.mjs" ||
    fail "the Emscripten toolchain in $toolchain does not work"
  rm -rf "$trial"
  touch "$toolchain/complete"
}
