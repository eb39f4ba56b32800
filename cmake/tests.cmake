# GoogleTest is built from its sources, because wasm and sanitizers need libraries of their own.
set(QUINTET_GOOGLETEST /usr/src/googletest CACHE PATH "GoogleTest's source folder")
if(NOT EXISTS "${QUINTET_GOOGLETEST}/googletest/src/gtest-all.cc")
  message(STATUS "No GoogleTest in ${QUINTET_GOOGLETEST}: no tests (tools/setup test installs it)")
  return()
endif()

add_library(googletest STATIC EXCLUDE_FROM_ALL "${QUINTET_GOOGLETEST}/googletest/src/gtest-all.cc")
target_include_directories(googletest PRIVATE "${QUINTET_GOOGLETEST}/googletest")
target_include_directories(googletest SYSTEM PUBLIC "${QUINTET_GOOGLETEST}/googletest/include")
if(EMSCRIPTEN)
  target_compile_definitions(googletest PUBLIC GTEST_HAS_PTHREAD=0)
else()
  find_package(Threads REQUIRED)
  target_link_libraries(googletest PUBLIC Threads::Threads)
endif()

# For these alone: in the commands of all, a folder's name would keep a compiler cache from knowing them in another one.
set(QUINTET_FIXTURE_READERS formats/gguf_vocabulary_test.cc formats/reading.cc golden/fixture.cc hostile/recipe.cc)
list(TRANSFORM QUINTET_FIXTURE_READERS PREPEND "${PROJECT_SOURCE_DIR}/tests/")
set_source_files_properties(${QUINTET_FIXTURE_READERS} PROPERTIES
  COMPILE_DEFINITIONS "QUINTET_FIXTURES=\"${PROJECT_SOURCE_DIR}/tests/fixtures\"")

# quintet_test_program(<name> OF <library>... IN <folder of tests/>...): a program of all .cc files there.
function(quintet_test_program name)
  cmake_parse_arguments(PARSE_ARGV 1 program "" "" "OF;IN")
  set(patterns ${program_IN})
  list(TRANSFORM patterns PREPEND "${PROJECT_SOURCE_DIR}/tests/")
  list(TRANSFORM patterns APPEND "/*.cc")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${patterns})
  add_executable(${name} "${PROJECT_SOURCE_DIR}/tests/test_main.cc" ${sources})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE ${program_OF} googletest)
  target_compile_definitions(${name} PRIVATE QUINTET_RELAXED=$<BOOL:${QUINTET_RELAXED}>)
  quintet_strict_warnings(${name})
  # Tests write literals where the code has sizes, and GoogleTest's own macros declare `info`.
  # The code under test is strict.
  target_compile_options(${name} PRIVATE -O1 -Wno-sign-conversion -Wno-conversion -Wno-shadow
    # GCC 12 gives false warnings about concatenated strings.
    $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds;-Wno-stringop-overflow>)
  if(NOT EMSCRIPTEN)
    # Most of a small test's compile time goes into these.
    quintet_precompile(${name}
      <gtest/gtest.h> <algorithm> <cmath> <memory> <optional> <random> <span> <string> <vector>)
  endif()
endfunction()

if(EMSCRIPTEN)
  # The same kernels on a real wasm engine: Node runs this program.
  quintet_test_program(kernel_tests OF quintet_kernels IN kernels)
  quintet_node_program(kernel_tests)
else()
  quintet_test_program(quintet_tests OF quintet_image_decoder quintet_grammar quintet_runtime
    IN unit kernels formats hostile golden tokenizers)

  # Tokenizers once more, with a call at each of their steps (tests/steps/step_counter.h).
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/base/*.cc" "${PROJECT_SOURCE_DIR}/src/tokenizers/*.cc")
  add_library(quintet_counted STATIC EXCLUDE_FROM_ALL ${sources})
  quintet_unity_build(quintet_counted ${sources})
  target_include_directories(quintet_counted PUBLIC "${PROJECT_SOURCE_DIR}/src")
  target_include_directories(quintet_counted SYSTEM PUBLIC "${QUINTET_HEADERS}/rapidjson")
  target_compile_options(quintet_counted PRIVATE -O1 -fsanitize-coverage=trace-pc)
  quintet_test_program(quintet_step_tests OF quintet_counted IN steps)
  target_sources(quintet_step_tests PRIVATE "${PROJECT_SOURCE_DIR}/tests/tokenizers/character_maps.cc")
endif()
