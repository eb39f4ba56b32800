# bench/kernels/*.cc: one program that measures every registered kernel, natively or in Node.
file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bench/kernels/*.cc")
if(NOT sources)
  return()
endif()

add_executable(kernel_bench EXCLUDE_FROM_ALL ${sources})
target_include_directories(kernel_bench PRIVATE "${PROJECT_SOURCE_DIR}")
target_link_libraries(kernel_bench PRIVATE quintet_kernels)
quintet_optimize(kernel_bench speed)
quintet_strict_warnings(kernel_bench)
if(EMSCRIPTEN)
  quintet_node_program(kernel_bench)
endif()
