# Flags of everything that is compiled here, tests included.
set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
# Sources are C++23 headers, not modules; nothing to scan for.
set(CMAKE_CXX_SCAN_FOR_MODULES OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_INTERPROCEDURAL_OPTIMIZATION OFF)

# Set here and not by CMake's build types: the optimization level is chosen per layer.
set(CMAKE_CXX_FLAGS_RELEASE "-DNDEBUG")

add_compile_options(
  # Errors are values (src/base/result.h); wasm modules are much smaller without either.
  -fno-exceptions -fno-rtti
  # a*b+c rounds twice everywhere, so that all builds of a kernel give the same bits.
  -ffp-contract=off)

if(QUINTET_SANITIZERS)
  add_compile_options(-fsanitize=${QUINTET_SANITIZERS} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  # From where the compiler runs, and by the older name of -fsanitize-ignorelist: so ccache looks at what is in the
  # file, and not at where the repository lies.
  file(RELATIVE_PATH ignorelist "${CMAKE_BINARY_DIR}" "${PROJECT_SOURCE_DIR}/cmake/sanitizer_ignorelist.txt")
  add_compile_options("-fsanitize-blacklist=${ignorelist}")
  add_link_options(-fsanitize=${QUINTET_SANITIZERS})
  # The standard library checks indices and dereferences.
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
endif()
if(QUINTET_FUZZ)
  # Coverage, by which libFuzzer finds its way.
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

if(EMSCRIPTEN)
  # Every engine that can run quintet has SIMD128, conversions to integers that saturate, and the instructions that copy
  # and fill memory: the C library's own loops for small modules are slow.
  add_compile_options(-msimd128 -mbulk-memory -mnontrapping-fptoint -flto)
  if(QUINTET_THREADS)
    # Atomic instructions, which are valid whether memory is shared or not. Emscripten's own threads are not used:
    # bindings/threads.cc and npm/src/engine/threads/compute_thread.ts start ours in a tenth of their code.
    add_compile_options(-matomics -sSHARED_MEMORY=1)
  endif()
  if(QUINTET_MEMORY64)
    add_compile_options(-sMEMORY64=1)
    add_link_options(-sMEMORY64=1)
  endif()
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # CMake also names the header that was compiled: its path would keep a compiler cache from knowing the command in
  # another folder.
  set(CMAKE_CXX_COMPILE_OPTIONS_USE_PCH -Xclang -include-pch -Xclang <PCH_FILE>)
endif()

# quintet_precompile(<target> <header>...): headers that most files of the target include.
function(quintet_precompile target)
  target_precompile_headers(${target} PRIVATE ${ARGN})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_LAUNCHER MATCHES "ccache")
    # What clang precompiles names the folder where it lies. ccache looks at this file instead (its manual,
    # `pch_external_checksum`).
    set(folder "${PROJECT_BINARY_DIR}/CMakeFiles/${target}.dir")
    list(TRANSFORM ARGN PREPEND "#include ")
    list(JOIN ARGN "\n" includes)
    file(WRITE "${folder}/precompiled.h" "${includes}\n")
    execute_process(
      COMMAND "${CMAKE_CXX_COMPILER}" -std=c++23 -E -P "-I${QUINTET_GOOGLETEST}/googletest/include" -x c++ "${folder}/precompiled.h"
      OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
    string(SHA256 digest "${text}")
    file(WRITE "${folder}/cmake_pch.hxx.pch.sum" "${digest}")
  endif()
endfunction()

# Optimization of a target: `speed` for kernels and what they read, `size` for the rest. Native programs are only tests
# and benchmarks of kernels, so that there the rest is compiled fast.
function(quintet_optimize target goal)
  if(CMAKE_BUILD_TYPE STREQUAL Debug)
    set(level -O0)
  elseif(goal STREQUAL speed AND NOT QUINTET_SANITIZERS)
    set(level -O3)
  elseif(EMSCRIPTEN)
    set(level -Oz)
  else()
    set(level -O1)
  endif()
  target_compile_options(${target} PRIVATE ${level})
endfunction()

# Own code is warning-free; third-party sources are not ours to change.
function(quintet_strict_warnings target)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor
    -Woverloaded-virtual -Wcast-align -Wimplicit-fallthrough -Wundef -Werror
    # GCC 12 sees overlapping copies in plain std::string concatenation (its bug 105651).
    $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
    # In a unity build, GCC treats the included files as headers and warns about types in anonymous namespaces.
    $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>
    # std::stable_sort of libstdc++ 12 uses what the same library deprecates.
    $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>
    # Emscripten calls 64-bit memory an experiment.
    $<$<BOOL:${QUINTET_MEMORY64}>:-Wno-experimental>)
endfunction()
