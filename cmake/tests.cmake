# GoogleTest is built from its sources, because wasm and sanitizers need libraries of their own.
set(QUINTET_GOOGLETEST /usr/src/googletest CACHE PATH "GoogleTest's source folder")
if(NOT EXISTS "${QUINTET_GOOGLETEST}/googletest/src/gtest-all.cc")
  message(STATUS "No GoogleTest in ${QUINTET_GOOGLETEST}: no tests (tools/setup test installs it)")
  return()
endif()

add_library(googletest STATIC EXCLUDE_FROM_ALL
  "${QUINTET_GOOGLETEST}/googletest/src/gtest-all.cc"
  "${QUINTET_GOOGLETEST}/googlemock/src/gmock-all.cc")
target_include_directories(googletest
  PRIVATE "${QUINTET_GOOGLETEST}/googletest" "${QUINTET_GOOGLETEST}/googlemock")
target_include_directories(googletest SYSTEM
  PUBLIC "${QUINTET_GOOGLETEST}/googletest/include" "${QUINTET_GOOGLETEST}/googlemock/include")
if(EMSCRIPTEN)
  target_compile_definitions(googletest PUBLIC GTEST_HAS_PTHREAD=0)
else()
  find_package(Threads REQUIRED)
  target_link_libraries(googletest PUBLIC Threads::Threads)
endif()

# quintet_test_program(<name> <folder of tests/>...): one program of all *_test.cc in these folders.
function(quintet_test_program name)
  set(patterns ${ARGN})
  list(TRANSFORM patterns PREPEND "${PROJECT_SOURCE_DIR}/tests/")
  set(helpers ${patterns})
  list(TRANSFORM helpers APPEND "/*.cc")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${helpers})
  add_executable(${name} "${PROJECT_SOURCE_DIR}/tests/test_main.cc" ${sources})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_compile_definitions(${name} PRIVATE
    QUINTET_FIXTURES="${PROJECT_SOURCE_DIR}/tests/fixtures")
  target_link_libraries(${name} PRIVATE quintet_runtime googletest)
  quintet_strict_warnings(${name})
  # GoogleTest's macros convert freely.
  target_compile_options(${name} PRIVATE -O1 -g -Wno-sign-conversion -Wno-conversion)
endfunction()

if(EMSCRIPTEN)
  # The same kernels on a real wasm engine: Node runs this program.
  quintet_test_program(kernel_tests kernels)
  quintet_node_program(kernel_tests)
else()
  quintet_test_program(quintet_tests unit kernels formats hostile golden tokenizers)
endif()
