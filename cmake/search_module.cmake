# The kernels of the search index: a second, tiny module, which is embedded in the JavaScript as a string.
add_executable(search_kernels EXCLUDE_FROM_ALL
  "${PROJECT_SOURCE_DIR}/bindings/search/score_rows.cc"
  "${PROJECT_SOURCE_DIR}/src/kernels/simd128/score_rows.cc")
set_target_properties(search_kernels PROPERTIES SUFFIX .wasm)
target_include_directories(search_kernels PRIVATE "${PROJECT_SOURCE_DIR}/src")
quintet_optimize(search_kernels speed)
quintet_strict_warnings(search_kernels)
target_link_options(search_kernels PRIVATE
  -O3 -flto
  # No JavaScript and nothing to import: three functions and a memory that their caller grows.
  -sSTANDALONE_WASM=1 --no-entry
  -sINITIAL_MEMORY=64KB -sSTACK_SIZE=4KB -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=4GB)
