#pragma once
// Scales a picture, or a part of it: antialiased bilinear, equal to PIL's Image.resize(BILINEAR).

#include <cstdint>

#include "base/aligned_buffer.h"
#include "image/pixels.h"

namespace quintet {

// A picture's axis is scaled from `length` to `scaled` samples; of these, `count` from `begin` on are wanted.
struct ResampledAxis {
  uint64_t length = 0;
  uint64_t scaled = 0;
  uint64_t begin = 0;
  uint32_t count = 0;
};

// The samples [vertical.count][horizontal.count][channels]. The axes' lengths are the picture's height and width.
Result<AlignedBuffer<uint8_t>> resize(const Pixels& pixels, const ResampledAxis& horizontal,
                                      const ResampledAxis& vertical);

}  // namespace quintet
