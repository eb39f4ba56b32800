# Header-only libraries that tools/setup made available, each in a folder of its own.
set(QUINTET_HEADERS "${PROJECT_SOURCE_DIR}/build/toolchain/include")

# quintet_layer(<folder of src/> [USES <lower layer>...])
# The static library quintet_<folder> of all its .cc files; a folder without any is only includes.
function(quintet_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 layer "" "" "USES")
  set(target quintet_${name})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${name}/*.cc")
  if(NOT QUINTET_RELAXED)
    list(FILTER sources EXCLUDE REGEX "/kernels/relaxed/")
  endif()
  if(QUINTET_MEMORY64)
    # Only text generators have it: what is for others alone need not be compiled.
    list(FILTER sources EXCLUDE REGEX
         "/(runtime/convert/|models/(encoder|vision)/|formats/(embd/|tinyruntime/|model_files)|architectures/vision/)")
  endif()

  if(sources)
    set(scope PUBLIC)
    add_library(${target} STATIC ${sources})
    quintet_unity_build(${target} ${sources})
    quintet_strict_warnings(${target})
    if(name STREQUAL tensor OR (name STREQUAL kernels AND NOT EMSCRIPTEN))
      quintet_optimize(${target} speed)
    else()
      quintet_optimize(${target} size)
      quintet_precompile_headers(${target})
    endif()
  else()
    set(scope INTERFACE)
    add_library(${target} INTERFACE)
  endif()

  target_include_directories(${target} ${scope} "${PROJECT_SOURCE_DIR}/src")
  foreach(lower IN LISTS layer_USES)
    target_link_libraries(${target} ${scope} quintet_${lower})
  endforeach()
  if(name STREQUAL "base")
    target_include_directories(${target} SYSTEM ${scope} "${QUINTET_HEADERS}/rapidjson")
  elseif(name STREQUAL "runtime")
    # These look at every logit of a vocabulary, for each token. Unrolled loops are a quarter larger and no faster.
    set_source_files_properties(
      "${PROJECT_SOURCE_DIR}/src/runtime/generation/logits.cc" "${PROJECT_SOURCE_DIR}/src/runtime/generation/sampler.cc"
      PROPERTIES COMPILE_OPTIONS "-O2;-fno-unroll-loops" SKIP_PRECOMPILE_HEADERS ON)
  elseif(name STREQUAL "tensor" AND EMSCRIPTEN)
    # Unrolled loops are a twentieth of a module and no faster: what is hot comes in vectors ...
    target_compile_options(${target} PRIVATE -fno-unroll-loops)
    # ... and these, which are large, wait for memory ...
    set(packing codecs/bit_packing codecs/gguf_decoder codecs/iq_blocks codecs/iq_grids
        packed/block_matrix packed/packed_matrix packed/paired_matrix packed/adaptive_matrix packed/sum_centers)
    list(TRANSFORM packing REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/src/tensor/\\1.cc")
    set_source_files_properties(${packing} PROPERTIES COMPILE_OPTIONS -Os)
    # ... or have loops that only become vectors without the linker's optimizer, whose goal is size.
    set_source_files_properties("${PROJECT_SOURCE_DIR}/src/tensor/codecs/gguf_blocks.cc" PROPERTIES
      COMPILE_OPTIONS -fno-lto)
  elseif(name STREQUAL "kernels")
    quintet_kernel_variants(${target} ${scope} "${sources}")
  endif()
endfunction()

# Compiles the files of a folder as one: most of a file's compile time goes into the headers of the standard library.
# CMake keeps files with their own options separate. The kernels of each instruction set and their checks also stay
# separate, because they use the same names for different things.
function(quintet_unity_build target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${QUINTET_UNITY_BUILD} UNITY_BUILD_MODE GROUP)
  list(FILTER ARGN EXCLUDE REGEX "/kernels/(simd128|relaxed|self_test)/")
  foreach(source IN LISTS ARGN)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY "${PROJECT_SOURCE_DIR}")
    string(REPLACE "/" "_" group "${folder}")
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${group}")
  endforeach()
endfunction()

# The standard library, once for all layers. (GCC 12 gives false warnings with it.)
function(quintet_precompile_headers target)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    return()
  elseif(TARGET quintet_base AND NOT target STREQUAL quintet_base)
    target_precompile_headers(${target} REUSE_FROM quintet_base)
  else()
    quintet_precompile(${target}
      <algorithm> <array> <cmath> <cstdint> <cstring> <expected> <memory> <optional> <span> <string> <string_view> <vector>)
  endif()
endfunction()

# src/kernels/{scalar,simd128,relaxed}: the same operations for different instruction sets.
function(quintet_kernel_variants target scope sources)
  # Where it makes a difference, and nowhere else: what is the same in both variants is compiled once by a compiler
  # cache.
  set_source_files_properties("${PROJECT_SOURCE_DIR}/src/kernels/registry.cc" PROPERTIES
    COMPILE_DEFINITIONS QUINTET_RELAXED=$<BOOL:${QUINTET_RELAXED}>)
  if(EMSCRIPTEN)
    # Modules run the scalar kernels in their self-test alone, so that only the others are compiled for speed (which
    # depends on it that the loops of a tile are unrolled) ...
    list(FILTER sources INCLUDE REGEX "/kernels/(simd128|relaxed)/")
    set_source_files_properties(${sources} PROPERTIES COMPILE_OPTIONS -O3 SKIP_PRECOMPILE_HEADERS ON)
    # ... and only these may depend on relaxed SIMD.
    list(FILTER sources INCLUDE REGEX "/kernels/relaxed/")
    set_property(SOURCE ${sources} APPEND PROPERTY COMPILE_OPTIONS -mrelaxed-simd)
    # ... but not these, which prepare operands and wait for memory, or run rarely.
    set(preparing "${PROJECT_SOURCE_DIR}/src/kernels/relaxed/convolve_i8.cc"
                  "${PROJECT_SOURCE_DIR}/src/kernels/relaxed/relaxed_dot.cc"
                  "${PROJECT_SOURCE_DIR}/src/kernels/relaxed/paired_dot.cc"
                  "${PROJECT_SOURCE_DIR}/src/kernels/relaxed/quantize.cc"
                  "${PROJECT_SOURCE_DIR}/src/kernels/relaxed/pointwise_i8.cc"
                  "${PROJECT_SOURCE_DIR}/src/kernels/simd128/pointwise_i8.cc"
                  "${PROJECT_SOURCE_DIR}/src/kernels/simd128/channels.cc"
                  "${PROJECT_SOURCE_DIR}/src/kernels/simd128/max_pool.cc"
                  "${PROJECT_SOURCE_DIR}/src/kernels/simd128/pack.cc")
    set_property(SOURCE ${preparing} APPEND PROPERTY COMPILE_OPTIONS -Os)
    # Code is generated in the order of the source, which has few values alive at a time; in the compiler's own order a
    # tile needs more registers than there are, and takes a fifth longer. The linker's optimizer has no such option.
    set(in_order "${PROJECT_SOURCE_DIR}/src/kernels/relaxed/gemm_blocks.cc"
                 "${PROJECT_SOURCE_DIR}/src/kernels/simd128/gemm_blocks.cc")
    set_property(SOURCE ${in_order} APPEND PROPERTY COMPILE_OPTIONS -fno-lto -mllvm -pre-RA-sched=source)
  else()
    # SIMDe spells the wasm intrinsics in what the host has, to test the same source natively.
    target_include_directories(${target} SYSTEM ${scope} "${QUINTET_HEADERS}/simde")
  endif()
endfunction()
