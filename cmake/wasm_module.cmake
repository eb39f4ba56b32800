# quintet_wasm_module(<folder of bindings/> [KERNELS <KernelSet>])
# quintet_<folder>_wasm, one of the modules that the package loads with their own JavaScript ("glue"): what all do,
# bindings/*.cc, and what only one does, bindings/<folder>/*.cc, over everything below. The linker leaves out what a
# module never calls. One without KERNELS computes nothing. Where there are threads, it imports its memory, which they
# can share.
function(quintet_wasm_module folder)
  cmake_parse_arguments(PARSE_ARGV 1 module "" "KERNELS" "")
  set(target quintet_${folder}_wasm)
  set(bindings "${PROJECT_SOURCE_DIR}/bindings")
  file(GLOB sources CONFIGURE_DEPENDS "${bindings}/*.cc" "${bindings}/${folder}/*.cc")
  if(NOT QUINTET_THREADS)
    list(FILTER sources EXCLUDE REGEX "/threads\\.cc$")
  endif()
  if(NOT module_KERNELS)
    list(FILTER sources EXCLUDE REGEX "/kernels\\.cc$")
  endif()
  add_executable(${target} EXCLUDE_FROM_ALL ${sources})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME quintet_${folder} SUFFIX .mjs
    UNITY_BUILD ${QUINTET_UNITY_BUILD} UNITY_BUILD_BATCH_SIZE 0)
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}")
  # The library's functions take the place of Embind's because it comes later.
  target_link_libraries(${target} PRIVATE quintet_runtime quintet_grammar embind)
  foreach(library embind_library unicode_library)
    target_link_libraries(${target} PRIVATE "--js-library=${bindings}/${library}.js")
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${bindings}/${library}.js")
  endforeach()
  quintet_optimize(${target} size)
  quintet_strict_warnings(${target})
  # Type names as text in the module serve only messages about unbound types (and need RTTI).
  target_compile_definitions(${target} PRIVATE
    EMSCRIPTEN_HAS_UNBOUND_TYPE_NAMES=0 $<$<BOOL:${module_KERNELS}>:QUINTET_KERNEL_SET=${module_KERNELS}>)

  # Binaryen would put constants of vectors into loops, where V8 creates each again for every use: products of 4-bit
  # weights take half as long again. Modules without such products are smaller with it.
  set(keeps_constants "")
  if(QUINTET_THREADS OR QUINTET_MEMORY64)
    set(keeps_constants "--skip-pass=precompute-propagate,")
  endif()
  target_link_options(${target} PRIVATE
    # Names of imports and exports stay as they are: shortened ones would depend on how often each
    # variant uses them, and the glue must be one file for all.
    -lexports.js
    # The level of Binaryen's passes; code keeps the level that its layer was compiled with.
    -Oz
    # A second round of the passes finds what the first one left. Packed data has no zeros, but comes in up to a
    # thousand pieces, each of which code copies into place: Brotli makes less of the zeros. Functions of up to 5
    # instructions are smaller where they are called; those beyond 100 compress better by themselves.
    "-sBINARYEN_EXTRA_PASSES=${keeps_constants}-Oz,--skip-pass=memory-packing,-aimfs=5,-ocimfs=100"
    -flto -fno-exceptions -fno-rtti
    # Where it pays for speed, functions of one file were put into one another before; across files it pays only where
    # code becomes smaller.
    -Wl,-mllvm,-inline-threshold=-60
    --no-entry
    # A factory function as an ES module: several instances can live in one page.
    -sMODULARIZE=1 -sEXPORT_ES6=1 -sEXPORT_NAME=createQuintet
    # The package compiles the bytes itself and passes instantiateWasm: the glue must not look for
    # files, and bundlers must not find a URL of a .wasm file in it.
    -sUSE_ES6_IMPORT_META=0
    # No code for Node either (it would `require` fs and path). What remains runs there unchanged.
    -sENVIRONMENT=web,worker
    # No eval or new Function: strict Content-Security-Policy works.
    -sDYNAMIC_EXECUTION=0
    # Nothing in the core reads files.
    -sFILESYSTEM=0
    # Models decide how much memory there is; a step of 1 MB keeps the peak close to their size.
    -sINITIAL_MEMORY=2MB -sALLOW_MEMORY_GROWTH=1 -sMEMORY_GROWTH_GEOMETRIC_STEP=0 -sMEMORY_GROWTH_LINEAR_STEP=1MB
    # malloc answers null and the core reports it, instead of ending the module.
    -sABORTING_MALLOC=0
    # Buffers live on the heap; nothing recurses deeply.
    -sSTACK_SIZE=256KB
    # There is no main() whose end would matter.
    -sEXIT_RUNTIME=0
    # No checks of the glue's own use: they cost size in what every page downloads.
    -sASSERTIONS=0
    # bindings/wrapped.cc instead.
    -Wl,--wrap=siprintf
    # What the package passes to the glue; code for all else that a page could set is left out.
    -sINCOMING_MODULE_JS_API=instantiateWasm)
  if(QUINTET_MEMORY64)
    target_link_options(${target} PRIVATE
      # As much as V8 gives. emmalloc, which is smaller, has sizes of 32 bits.
      -sMAXIMUM_MEMORY=16GB -sMALLOC=dlmalloc
      # No libraries but those of tools/toolchain/memory64.sh.
      -sAUTO_NATIVE_LIBRARIES=0
      # Engines with 64-bit memory; Safari has none.
      -sMIN_CHROME_VERSION=133 -sMIN_FIREFOX_VERSION=134 -sMIN_SAFARI_VERSION=-1)
  else()
    target_link_options(${target} PRIVATE
      # Small, and good enough for few big blocks; with aligned_alloc of bindings/wrapped.cc.
      -sMAXIMUM_MEMORY=4GB -sMALLOC=emmalloc -Wl,--wrap=aligned_alloc
      # Engines with SIMD128, relaxed or not, have all of these: Chrome 91, Firefox 89, Safari 16.4, Node 16.
      -sMIN_CHROME_VERSION=91 -sMIN_FIREFOX_VERSION=89 -sMIN_SAFARI_VERSION=160400)
  endif()
  if(QUINTET_THREADS)
    target_link_options(${target} PRIVATE
      # The memory is JavaScript's, which gives it to every thread, or unshares it for one
      # (npm/src/engine/start/memory.ts).
      -sSHARED_MEMORY=1
      # With these a helper gets its stack and its thread-local variables (npm/src/engine/threads/compute_thread.ts).
      -Wl,--export=__wasm_init_tls
      -sEXPORTED_FUNCTIONS=_thread_memory,_set_threads,_help,_give_up,__emscripten_stack_restore)
  endif()
endfunction()

if(QUINTET_THREADS OR QUINTET_MEMORY64)
  # Texts become vectors.
  quintet_wasm_module(embedder KERNELS encoder)
  # Text is generated.
  quintet_wasm_module(generator KERNELS decoder)
  # Pictures are classified.
  quintet_wasm_module(classifier KERNELS network)
  # Pictures and texts become vectors of one space.
  quintet_wasm_module(image_embedder KERNELS graph)
else()
  # Files are inspected, read and converted, which hardly any page does. It runs networks in float, to calibrate them.
  quintet_wasm_module(files KERNELS calibration)
  # Text becomes token ids and comes back, without a model's weights.
  quintet_wasm_module(tokenizer)
  # Text is kept to a grammar. What a nested grammar or schema needs of the stack is bounded, but more than the others
  # need.
  quintet_wasm_module(grammar)
  target_link_options(quintet_grammar_wasm PRIVATE -sSTACK_SIZE=1MB)
endif()
