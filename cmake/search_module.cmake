# The kernels of the search index: tiny modules, which are embedded in the JavaScript as strings.
function(quintet_search_module target)
  cmake_parse_arguments(PARSE_ARGV 1 module "" "SUFFIX" "SOURCES;LINK_OPTIONS")
  list(TRANSFORM module_SOURCES PREPEND "${PROJECT_SOURCE_DIR}/")
  add_executable(${target} EXCLUDE_FROM_ALL ${module_SOURCES} "${PROJECT_SOURCE_DIR}/src/kernels/simd128/score_rows.cc")
  set_target_properties(${target} PROPERTIES SUFFIX ${module_SUFFIX})
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src")
  quintet_optimize(${target} speed)
  quintet_strict_warnings(${target})
  target_link_options(${target} PRIVATE
    -O3 -flto --no-entry ${module_LINK_OPTIONS}
    -sINITIAL_MEMORY=64KB -sSTACK_SIZE=4KB -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=4GB)
endfunction()

# For one thread. No JavaScript and nothing to import: three functions and a memory that their caller grows.
quintet_search_module(search_kernels SUFFIX .wasm SOURCES bindings/search/score_rows.cc
  LINK_OPTIONS -sSTANDALONE_WASM=1)

# For vectors of tokens, likewise, with relaxed SIMD or without.
set(late_interaction bindings/search/late_interaction.cc src/kernels/simd128/late_interaction.cc)
quintet_search_module(late_interaction SUFFIX .wasm LINK_OPTIONS -sSTANDALONE_WASM=1 SOURCES ${late_interaction})
target_compile_definitions(late_interaction PRIVATE QUINTET_VARIANT=simd128)
quintet_search_module(late_interaction_relaxed SUFFIX .wasm LINK_OPTIONS -sSTANDALONE_WASM=1
  SOURCES ${late_interaction} src/kernels/relaxed/late_interaction.cc src/kernels/relaxed/relaxed_dot.cc)
target_compile_definitions(late_interaction_relaxed PRIVATE QUINTET_VARIANT=relaxed)
target_compile_options(late_interaction_relaxed PRIVATE -mrelaxed-simd)

# For several threads: the memory is JavaScript's, which gives it to every thread. Standalone modules cannot share
# memory, so this one comes with JavaScript, which is not used. Relaxed SIMD would not make it faster: it waits for
# memory.
quintet_search_module(search_threads SUFFIX .mjs SOURCES bindings/search/score_rows.cc bindings/search/threads.cc
  LINK_OPTIONS -sSHARED_MEMORY=1 -sMODULARIZE=1 -sEXPORT_ES6=1 -sENVIRONMENT=web,worker -sFILESYSTEM=0 -sMALLOC=none
    # Names of imports and exports stay as they are.
    -lexports.js
    # With these a helper gets its stack (npm/src/engine/threads/compute_thread.ts).
    -Wl,--export=__wasm_init_tls -sEXPORTED_FUNCTIONS=__emscripten_stack_restore)
