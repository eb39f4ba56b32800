# shellcheck shell=bash
# Header-only libraries, each in a folder of its own: the wasm build must not see /usr/include.

install_headers() {
  link_header_folder rapidjson /usr/include/rapidjson
  link_header_folder stb /usr/include/stb
  link_header_folder simde "$toolchain/root/usr/include/simde"
}

# A folder that is not there (SIMDe with an Emscripten from PATH) is left out; CMake then says so.
link_header_folder() {
  [ -d "$2" ] || return 0
  mkdir -p "$toolchain/include/$1"
  ln -sfn "$2" "$toolchain/include/$1/$1"
}
