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
         "/(runtime/convert/|models/(encoder|resnet)/|formats/(weights|tinyruntime)/|architectures/(resnet/tinyruntime|model_files))")
  endif()

  if(sources)
    set(scope PUBLIC)
    add_library(${target} STATIC ${sources})
    if(name MATCHES "^(formats|architectures|runtime)$" AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
      # Half of the time that their many small files take to compile. (With them GCC 12 warns of what is not there.)
      target_precompile_headers(${target} PRIVATE
        <algorithm> <cstdint> <expected> <memory> <optional> <span> <string> <string_view> <vector>)
    endif()
    quintet_strict_warnings(${target})
    if(name MATCHES "^(kernels|tensor)$")
      quintet_optimize(${target} speed)
    else()
      quintet_optimize(${target} size)
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
    # These look at every logit of a vocabulary, for each token.
    set_source_files_properties(
      "${PROJECT_SOURCE_DIR}/src/runtime/generation/logits.cc" "${PROJECT_SOURCE_DIR}/src/runtime/generation/sampler.cc"
      PROPERTIES COMPILE_OPTIONS -O3 SKIP_PRECOMPILE_HEADERS ON)
  elseif(name STREQUAL "tensor" AND EMSCRIPTEN)
    # Unrolled loops are a twentieth of a module and no faster: what is hot comes in vectors ...
    target_compile_options(${target} PRIVATE -fno-unroll-loops)
    # ... and these, which are large, wait for memory.
    set(packing codecs/bit_packing codecs/gguf_blocks codecs/gguf_decoder packed/block_matrix packed/adaptive_matrix)
    list(TRANSFORM packing REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/src/tensor/\\1.cc")
    set_source_files_properties(${packing} PROPERTIES COMPILE_OPTIONS -Os)
  elseif(name STREQUAL "kernels")
    quintet_kernel_variants(${target} ${scope} "${sources}")
  endif()
endfunction()

# src/kernels/{scalar,simd128,relaxed}: the same operations for different instruction sets.
function(quintet_kernel_variants target scope sources)
  # Where it makes a difference, and nowhere else: what is the same in both variants is compiled once by a compiler cache.
  set_source_files_properties("${PROJECT_SOURCE_DIR}/src/kernels/registry.cc" PROPERTIES
    COMPILE_DEFINITIONS QUINTET_RELAXED=$<BOOL:${QUINTET_RELAXED}>)
  if(EMSCRIPTEN)
    # Modules run the definition in their self-test alone.
    set(tested_with ${sources})
    list(FILTER tested_with INCLUDE REGEX "/kernels/(scalar|self_test)/")
    set_source_files_properties(${tested_with} PROPERTIES COMPILE_OPTIONS -Oz)
    # Only here, so that no other code of the module depends on relaxed SIMD.
    list(FILTER sources INCLUDE REGEX "/kernels/relaxed/")
    set_source_files_properties(${sources} PROPERTIES COMPILE_OPTIONS -mrelaxed-simd)
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
