#pragma once
// Scales a picture, or the part of it that is wanted: antialiased bilinear, equal to PIL's Image.resize(BILINEAR).

#include "base/aligned_buffer.h"
#include "image/pixels.h"
#include "image/resample.h"

namespace quintet {

// The samples [vertical.count][horizontal.count][channels]. The axes' lengths are the picture's height and width.
Result<AlignedBuffer<uint8_t>> resize(const Pixels& pixels, const ResampledAxis& horizontal,
                                      const ResampledAxis& vertical);

}  // namespace quintet
