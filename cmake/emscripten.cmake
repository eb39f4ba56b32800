# Toolchain file of the wasm presets. tools/setup puts the compiler where this looks for it. CMake has no platform
# called Emscripten; its users test this variable.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(EMSCRIPTEN TRUE)

get_filename_component(quintet_emscripten "${CMAKE_CURRENT_LIST_DIR}/../build/toolchain/bin" ABSOLUTE)
set(CMAKE_C_COMPILER "${quintet_emscripten}/emcc")
set(CMAKE_CXX_COMPILER "${quintet_emscripten}/em++")
set(CMAKE_AR "${quintet_emscripten}/emar" CACHE FILEPATH "")
set(CMAKE_RANLIB "${quintet_emscripten}/emranlib" CACHE FILEPATH "")

# CMake's probes need not be linked.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

# Libraries of the host are useless here.
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
