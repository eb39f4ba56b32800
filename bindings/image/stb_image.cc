// stb_image's own code, compiled without warnings.

#include "bindings/image/stb_options.h"

#define STB_IMAGE_IMPLEMENTATION
#include <stb/stb_image.h>
