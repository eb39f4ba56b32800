# tests/fuzz/<name>_fuzzer.cc: one libFuzzer program each. What they found is kept in
# tests/fuzz/corpus/<name>/ and is run again by every test run.
file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/fuzz/*_fuzzer.cc")
foreach(source IN LISTS sources)
  get_filename_component(name "${source}" NAME_WE)
  add_executable(${name} "${source}")
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE quintet_runtime quintet_grammar quintet_image_decoder)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  target_compile_options(${name} PRIVATE -O1)
  quintet_strict_warnings(${name})
endforeach()
