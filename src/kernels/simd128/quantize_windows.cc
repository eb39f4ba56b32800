#include <algorithm>
#include <bit>

#include "kernels/generic/gather_window.h"
#include "kernels/generic/rounding.h"
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
    if (count < 4) return add<kAsymmetric>(generic::load_some(x, count, *x));
    for (size_t i = 0; i + 4 <= count; i += 4) add<kAsymmetric>(wasm_v128_load(x + i));
    // The last four; some of them once more.
    if (count % 4 != 0) add<kAsymmetric>(wasm_v128_load(x + count - 4));
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
  v128_t
      doubled_;  // bits of the greatest magnitude, without their sign: infinity and NaN are greater than every number
};

class GroupQuantizer {
 public:
  explicit GroupQuantizer(const GroupScale& group)
      : scale_(wasm_f32x4_splat(group.scale)),
        least_(wasm_i16x8_splat(static_cast<int16_t>(group.least))),
        most_(wasm_i16x8_splat(static_cast<int16_t>(group.most))) {}

  void put(const float* x, size_t count, int16_t* q) const {
    if (count < 8) return put_few(x, count, q);
    for (size_t i = 0; i + 8 <= count; i += 8) put_eight(x + i, q + i);
    // The last eight; some of them once more.
    if (count % 8 != 0) put_eight(x + count - 8, q + count - 8);
  }

 private:
  [[gnu::always_inline]] void put_eight(const float* x, int16_t* q) const {
    wasm_v128_store(q, quantized(wasm_v128_load(x), wasm_v128_load(x + 4)));
  }

  [[gnu::noinline]] void put_few(const float* x, size_t count, int16_t* q) const {
    alignas(16) float values[8] = {};
    alignas(16) int16_t integers[8];
    std::copy_n(x, count, values);
    put_eight(values, integers);
    std::copy_n(integers, count, q);
  }

  // What is no number becomes one of any size before it is clamped.
  [[gnu::always_inline]] v128_t quantized(v128_t low, v128_t high) const {
    const v128_t q = generic::narrowed(rounded(low), rounded(high), constants_);
    return wasm_i16x8_min(wasm_i16x8_max(q, least_), most_);
  }
  [[gnu::always_inline]] v128_t rounded(v128_t x) const {
    return generic::round_half_away(wasm_f32x4_div(x, scale_), constants_);
  }

  v128_t scale_, least_, most_;
  generic::HeldRoundingConstants constants_{generic::loaded(generic::kRoundingConstants)};
};

template <bool kAsymmetric>
class WindowQuantizer {
 public:
  WindowQuantizer(const Windows& windows, const WindowGroups& groups)
      : gather_(windows, groups.channels), size_(windows.rows * windows.run), group_(groups.group) {}

  // As GroupedConvolutionKernels::quantize_windows, whose next places q and scales are.
  void quantize(const float* window, int16_t*& q, float*& scales) {
    if (group_ > WindowGather::kMost) return large_groups(window, q, scales);
    const size_t most = std::min(WindowGather::kMost / group_, kGroupsAtOnce) * group_;
    for (size_t begin = 0; begin < size_; begin += most) {
      const size_t count = std::min(most, size_ - begin);
      groups(gather_(window, begin, count, buffer_), count / group_, q, scales);
    }
  }

 private:
  static constexpr size_t kGroupsAtOnce = 64;

  // First all scales, each a chain of slow steps in float: they overlap.
  void groups(const float* x, size_t count, int16_t*& q, float*& scales) const {
    GroupScale found[kGroupsAtOnce];
    for (size_t g = 0; g < count; ++g) {
      Extent extent(x[g * group_]);
      extent.add<kAsymmetric>(x + g * group_, group_);
      found[g] = extent.scale<kAsymmetric>();
    }
    for (size_t g = 0; g < count; ++g) {
      GroupQuantizer(found[g]).put(x + g * group_, group_, q);
      finish_group(found[g], q, scales);
    }
  }

  // Gathered twice, part by part.
  void large_groups(const float* window, int16_t*& q, float*& scales) {
    for (size_t begin = 0; begin < size_; begin += group_) {
      Extent extent(*gather_(window, begin, 1, buffer_));
      parts(begin,
            [&](size_t part, size_t count) { extent.add<kAsymmetric>(gather_(window, part, count, buffer_), count); });
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
