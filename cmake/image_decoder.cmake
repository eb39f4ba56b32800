# bindings/image: pictures to pixels. In wasm a module of its own, which only Node loads; natively a library, for its
# tests and its fuzzer.
if(NOT EXISTS "${QUINTET_HEADERS}/stb")
  message(FATAL_ERROR "stb_image.h is not there; tools/setup makes it available")
endif()
file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bindings/image/*.cc")
list(FILTER sources EXCLUDE REGEX "/(stb_image|module)\\.cc$")

# Apart from ours: third-party code has warnings.
add_library(quintet_stb_image OBJECT EXCLUDE_FROM_ALL "${PROJECT_SOURCE_DIR}/bindings/image/stb_image.cc")
target_include_directories(quintet_stb_image SYSTEM PUBLIC "${QUINTET_HEADERS}/stb")
target_include_directories(quintet_stb_image PRIVATE "${PROJECT_SOURCE_DIR}")
# Values of broken pictures overflow in its transforms; they wrap, and stay a picture.
target_compile_options(quintet_stb_image PRIVATE -fwrapv)
quintet_optimize(quintet_stb_image speed)

add_library(quintet_image_decoder STATIC EXCLUDE_FROM_ALL ${sources} $<TARGET_OBJECTS:quintet_stb_image>)
target_include_directories(quintet_image_decoder SYSTEM PRIVATE "${QUINTET_HEADERS}/stb")
target_include_directories(quintet_image_decoder PUBLIC "${PROJECT_SOURCE_DIR}")
target_link_libraries(quintet_image_decoder PUBLIC quintet_image)
quintet_optimize(quintet_image_decoder speed)
quintet_strict_warnings(quintet_image_decoder)

if(EMSCRIPTEN)
  add_executable(image_decoder EXCLUDE_FROM_ALL "${PROJECT_SOURCE_DIR}/bindings/image/module.cc")
  set_target_properties(image_decoder PROPERTIES SUFFIX .wasm)
  target_link_libraries(image_decoder PRIVATE quintet_image_decoder)
  quintet_strict_warnings(image_decoder)
  target_link_options(image_decoder PRIVATE
    -O3 -flto -fno-exceptions
    # No JavaScript and nothing to import.
    -sSTANDALONE_WASM=1 --no-entry
    -sEXPORTED_FUNCTIONS=_allocate,_decode,_pixels,_width,_height
    -sFILESYSTEM=0 -sMALLOC=emmalloc -sABORTING_MALLOC=0
    -sINITIAL_MEMORY=1MB -sSTACK_SIZE=256KB -sALLOW_MEMORY_GROWTH=1
    # Three copies of the largest picture, and no more, regardless of what a file claims.
    -sMAXIMUM_MEMORY=1GB)
endif()
