# shellcheck shell=bash
# Emscripten's own libraries for 64-bit memory, which Debian's package does not bring: they are compiled once, into the
# toolchain. An Emscripten from PATH compiles into its cache anything that it lacks.

install_memory64_libraries() { locked make_memory64_libraries; }

make_memory64_libraries() {
  if [ -f "$toolchain/memory64" ]; then return; fi
  if [ -f "$toolchain/emscripten.config" ]; then
    timed "Emscripten's libraries for 64-bit memory" compile_memory64_libraries
  fi
  touch "$toolchain/memory64"
}

compile_memory64_libraries() {
  local libraries=$toolchain/root/usr/share/emscripten/cache/sysroot/lib cache=$toolchain/memory64-cache
  rm -rf "$cache"
  mkdir -p "$cache"
  # With the options of cmake/wasm_module.cmake that decide which libraries the linker wants.
  cat >"$cache/trial.cc" <<'CC'
#include <emscripten/bind.h>
double twice(double x) { return x + x; }
EMSCRIPTEN_BINDINGS(trial) { emscripten::function("twice", &twice); }
CC
  EM_FROZEN_CACHE=0 EM_CACHE=$cache EM_IGNORE_SANITY=1 "$toolchain/bin/em++" -sMEMORY64=1 -Wno-experimental -std=c++23 -Oz \
    -flto -fno-exceptions -fno-rtti -DEMSCRIPTEN_HAS_UNBOUND_TYPE_NAMES=0 -sMALLOC=dlmalloc -sFILESYSTEM=0 \
    -sAUTO_NATIVE_LIBRARIES=0 --no-entry -lembind "$cache/trial.cc" -o "$cache/trial.mjs" 2>"$cache/log" ||
    fail "Emscripten's libraries for 64-bit memory cannot be compiled: $(cat "$cache/log")"
  rm -rf "$libraries/wasm64-emscripten"
  mv "$cache/sysroot/lib/wasm64-emscripten" "$libraries/"
  rm -rf "$cache"
}
