# quintet_node_program(<target>): a wasm program with main(), run as `node <target>.js [arguments]`.
# (As an ES module it would only export a function that starts it.)
file(WRITE "${CMAKE_BINARY_DIR}/package.json" "{ \"type\": \"commonjs\" }\n")

function(quintet_node_program target)
  set_target_properties(${target} PROPERTIES SUFFIX .js)
  target_link_options(${target} PRIVATE
    # No -flto, so that Emscripten's libraries are compiled already and have no thread-local variables: where memory is
    # not shared, LLD 19 adds the address of those twice if their objects have atomic instructions.
    -O2 -fno-exceptions
    -sENVIRONMENT=node
    # Reports are written to, and fixtures read from, the real file system.
    -sNODERAWFS=1
    -sALLOW_MEMORY_GROWTH=1
    -sMAXIMUM_MEMORY=4GB
    -sSTACK_SIZE=1MB
    # main()'s result becomes the exit code of the process.
    -sEXIT_RUNTIME=1)
endfunction()
