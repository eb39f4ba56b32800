# quintet_benchmark(<target> <folder of bench/native/> <library>...): one program of all its .cc files, natively or in
# Node.
function(quintet_benchmark target folder)
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bench/native/${folder}/*.cc")
  add_executable(${target} EXCLUDE_FROM_ALL ${sources})
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(${target} PRIVATE ${ARGN})
  target_compile_definitions(${target} PRIVATE QUINTET_RELAXED=$<BOOL:${QUINTET_RELAXED}>)
  quintet_optimize(${target} speed)
  quintet_strict_warnings(${target})
  if(EMSCRIPTEN)
    quintet_node_program(${target})
  endif()
endfunction()

# Every registered kernel.
quintet_benchmark(kernel_bench kernels quintet_kernels)
# Readers of model files, and what brings tensors into memory.
quintet_benchmark(formats_bench formats quintet_models)
