#pragma once
// Scales a picture, or a part of it: bit for bit as PIL's Image.resize does.

#include <cstdint>
#include <span>
#include <string_view>

#include "base/aligned_buffer.h"
#include "base/result.h"

namespace quintet {

constexpr uint64_t kMaxPixels = uint64_t{64} << 20;

// Pictures from decoders and callers: 8-bit samples, interleaved, rows from the top.
struct Pixels {
  std::span<const uint8_t> samples;  // [height][width][channels]
  uint32_t width = 0;
  uint32_t height = 0;
  uint32_t channels = 0;  // 1 gray, 3 RGB, 4 RGB and alpha
};

// INPUT if the picture is empty, larger than kMaxPixels, has an unsupported number of channels, or does not have width
// x height x channels samples.
Status check_pixels(const Pixels& pixels);

// Scales an axis of a picture from `length` to `scaled` samples, of which `count` from `begin` on are needed.
struct ResampledAxis {
  uint64_t length = 0;
  uint64_t scaled = 0;
  uint64_t begin = 0;
  uint32_t count = 0;
};

// PIL's filters, with PIL's numbers. All but nearest are antialiased: as wide as two to six samples of the coarser
// grid.
enum class ResizeFilter : uint8_t { nearest, lanczos, bilinear, bicubic, box, hamming };
// In the order of ResizeFilter.
inline constexpr std::string_view kResizeFilterNames[] = {"nearest", "lanczos", "bilinear",
                                                          "bicubic", "box",     "hamming"};

// The samples [vertical.count][horizontal.count][channels]. The axis lengths are the picture's height and width. INPUT
// for pictures so long and thin that what lies between the two passes would be larger than any picture.
Result<AlignedBuffer<uint8_t>> resize(const Pixels& pixels, const ResampledAxis& horizontal,
                                      const ResampledAxis& vertical, ResizeFilter filter = ResizeFilter::bilinear);

}  // namespace quintet
