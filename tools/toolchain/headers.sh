# shellcheck shell=bash
# Header-only libraries, each in a folder of its own: the wasm build must not see /usr/include.

install_headers() {
  local name
  for name in rapidjson stb simde; do link_header_folder "$name"; done
}

# From the packages of Debian 13, else from the system. A folder that is not there is left out; CMake then reports it.
link_header_folder() {
  local parent
  for parent in "$toolchain/root/usr/include" /usr/include; do
    if [ -d "$parent/$1" ]; then
      mkdir -p "$toolchain/include/$1"
      ln -sfn "$parent/$1" "$toolchain/include/$1/$1"
      return
    fi
  done
}
