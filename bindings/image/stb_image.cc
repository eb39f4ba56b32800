// The code of stb_image, which is not ours to warn about.

#include "bindings/image/stb_options.h"

#define STB_IMAGE_IMPLEMENTATION
#include <stb/stb_image.h>
