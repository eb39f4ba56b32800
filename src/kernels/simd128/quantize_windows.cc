#include <algorithm>
#include <bit>

#include "kernels/generic/gather_window.h"
#include "kernels/generic/vector.h"
#include "kernels/group_quantization.h"
#include "kernels/variants.h"

namespace quintet::simd128 {
namespace {

using generic::WindowGather;

// What a group's scale depends on, of the values met so far.
class Extent {
 public:
  explicit Extent(float first) : min_(wasm_f32x4_splat(first)), max_(min_), doubled_(wasm_i32x4_splat(0)) {}

  // An asymmetric scale needs all of it, a symmetric one the magnitude.
  template <bool kAsymmetric>
  void add(const float* x, size_t count) {
    size_t i = 0;
    for (; i + 4 <= count; i += 4) add<kAsymmetric>(wasm_v128_load(x + i));
    if (i != count) add<kAsymmetric>(generic::load_some(x + i, count - i, x[i]));
  }

  template <bool kAsymmetric>
  GroupScale scale() const {
    return kAsymmetric ? asymmetric_scale(least(), most(), largest()) : symmetric_scale(largest());
  }

 private:
  template <bool kAsymmetric>
  [[gnu::always_inline]] void add(v128_t x) {
    if (kAsymmetric) {
      min_ = wasm_f32x4_pmin(min_, x);
      max_ = wasm_f32x4_pmax(max_, x);
    }
    doubled_ = wasm_u32x4_max(doubled_, wasm_i32x4_add(x, x));
  }

  // In all lanes.
  template <class Combine>
  static v128_t reduced(v128_t lanes, Combine combine) {
    lanes = combine(lanes, wasm_i32x4_shuffle(lanes, lanes, 2, 3, 0, 1));
    return combine(lanes, wasm_i32x4_shuffle(lanes, lanes, 1, 0, 3, 2));
  }
  float least() const {
    return wasm_f32x4_extract_lane(reduced(min_, [](v128_t a, v128_t b) { return wasm_f32x4_pmin(a, b); }), 0);
  }
  float most() const {
    return wasm_f32x4_extract_lane(reduced(max_, [](v128_t a, v128_t b) { return wasm_f32x4_pmax(a, b); }), 0);
  }
  float largest() const {
    const v128_t doubled = reduced(doubled_, [](v128_t a, v128_t b) { return wasm_u32x4_max(a, b); });
    return std::bit_cast<float>(static_cast<uint32_t>(wasm_i32x4_extract_lane(doubled, 0)) / 2);
  }

  v128_t min_, max_;
  v128_t doubled_;  // bits of the greatest magnitude, without their sign: infinity and NaN are greater than every number
};

class GroupQuantizer {
 public:
  explicit GroupQuantizer(const GroupScale& group)
      : scale_(wasm_f32x4_splat(group.scale)),
        least_(wasm_i16x8_splat(static_cast<int16_t>(group.least))),
        most_(wasm_i16x8_splat(static_cast<int16_t>(group.most))) {}

  void put(const float* x, size_t count, int16_t* q) const {
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
      wasm_v128_store(q + i, quantized(wasm_v128_load(x + i), wasm_v128_load(x + i + 4)));
    }
    for (; i + 4 <= count; i += 4) {
      const v128_t four = wasm_v128_load(x + i);
      wasm_v128_store64_lane(q + i, quantized(four, four), 0);
    }
    if (i == count) return;
    const v128_t some = generic::load_some(x + i, count - i, 0);
    alignas(16) int16_t last[8];
    wasm_v128_store(last, quantized(some, some));
    std::copy_n(last, count - i, q + i);
  }

 private:
  [[gnu::always_inline]] v128_t quantized(v128_t low, v128_t high) const {
    const v128_t q = wasm_i16x8_narrow_i32x4(rounded(low), rounded(high));
    return wasm_i16x8_min(wasm_i16x8_max(q, least_), most_);
  }

  // round_half_away(x / scale), as 32-bit integers: the last sum has no bits for a fraction. What is no number becomes
  // one of any size.
  [[gnu::always_inline]] v128_t rounded(v128_t x) const {
    const v128_t no_fraction = wasm_f32x4_splat(12582912.0f);
    const v128_t steps = wasm_f32x4_div(x, scale_);
    const v128_t sign = wasm_v128_and(steps, wasm_f32x4_splat(-0.0f));
    const v128_t half = wasm_v128_or(sign, wasm_f32x4_splat(kBelowHalf));
    const v128_t whole = wasm_f32x4_trunc(wasm_f32x4_add(steps, half));
    return wasm_i32x4_sub(wasm_f32x4_add(whole, no_fraction), no_fraction);
  }

  v128_t scale_, least_, most_;
};

template <bool kAsymmetric>
class WindowQuantizer {
 public:
  WindowQuantizer(const Windows& windows, const WindowGroups& groups)
      : gather_(windows, groups.channels), size_(windows.rows * windows.run), group_(groups.group) {}

  // As GroupedConvolutionKernels::quantize_windows, whose next places q and scales are.
  void quantize(const float* window, int16_t*& q, float*& scales) {
    if (group_ > WindowGather::kMost) return large_groups(window, q, scales);
    const size_t most = WindowGather::kMost / group_ * group_;
    for (size_t begin = 0; begin < size_; begin += most) {
      const size_t count = std::min(most, size_ - begin);
      const float* x = gather_(window, begin, count, buffer_);
      for (const float* const end = x + count; x != end; x += group_) {
        Extent extent(*x);
        extent.add<kAsymmetric>(x, group_);
        const GroupScale scale = extent.scale<kAsymmetric>();
        GroupQuantizer(scale).put(x, group_, q);
        finish_group(scale, q, scales);
      }
    }
  }

 private:
  // Gathered twice, part by part.
  void large_groups(const float* window, int16_t*& q, float*& scales) {
    for (size_t begin = 0; begin < size_; begin += group_) {
      Extent extent(*gather_(window, begin, 1, buffer_));
      parts(begin, [&](size_t part, size_t count) {
        extent.add<kAsymmetric>(gather_(window, part, count, buffer_), count);
      });
      const GroupScale scale = extent.scale<kAsymmetric>();
      const GroupQuantizer quantizer(scale);
      parts(begin, [&](size_t part, size_t count) {
        quantizer.put(gather_(window, part, count, buffer_), count, q + part - begin);
      });
      finish_group(scale, q, scales);
    }
  }

  template <class Take>
  void parts(size_t begin, Take take) const {
    const size_t end = begin + group_;
    for (size_t count; begin < end; begin += count) {
      count = std::min(WindowGather::kMost, end - begin);
      take(begin, count);
    }
  }

  void finish_group(const GroupScale& scale, int16_t*& q, float*& scales) const {
    q += group_;
    if (group_ % 2 != 0) *q++ = 0;
    *scales++ = scale.scale;
  }

  WindowGather gather_;
  size_t size_;
  size_t group_;
  WindowGather::Buffer buffer_;
};

template <bool kAsymmetric>
void quantize_all(const float* input, const Windows& windows, const WindowGroups& groups, size_t begin, size_t end,
                  int16_t* q, float* scales) {
  WindowQuantizer<kAsymmetric> quantizer(windows, groups);
  for (size_t i = begin; i < end; ++i) quantizer.quantize(input + windows.offset(i), q, scales);
}

}  // namespace

void quantize_windows(const float* input, const Windows& windows, const WindowGroups& groups, size_t begin, size_t end,
                      int16_t* q, float* scales) {
  const auto quantize = groups.asymmetric ? quantize_all<true> : quantize_all<false>;
  quantize(input, windows, groups, begin, end, q, scales);
}

}  // namespace quintet::simd128
