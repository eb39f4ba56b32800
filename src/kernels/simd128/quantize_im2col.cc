#include <algorithm>
#include <bit>
#include <cstring>

#include "kernels/generic/vector.h"
#include "kernels/variants.h"

namespace quintet::simd128 {
namespace {

// The values of a window in the order of im2col, [channels][rows][columns], of a map whose pixels' channels lie
// together.
class WindowGather {
 public:
  // The number of values at once, and room for them.
  static constexpr size_t kMax = 2304;
  static constexpr size_t kNineTaps = 9;
  struct Buffer {
    alignas(16) float values[kMax + 2 * kNineTaps];
  };

  WindowGather(const Im2colView& view, size_t channels)
      : row_stride_(view.row_stride), channels_(channels), rows_(view.rows), columns_(view.run / channels) {}

  // The position where values [begin, begin + count), at most kMax, are contiguous: in the window, or now in the
  // buffer.
  const float* operator()(const float* window, size_t begin, size_t count, Buffer& buffer) const {
    if (rows_ * columns_ == 1) return window + begin;
    if (rows_ == 3 && columns_ == 3) {
      const size_t channel = begin / kNineTaps;
      nine_taps(window, channel, (begin + count + kNineTaps - 1) / kNineTaps, buffer.values);
      return buffer.values + begin % kNineTaps;
    }
    any_taps(window, begin, count, buffer.values);
    return buffer.values;
  }

 private:
  void any_taps(const float* window, size_t begin, size_t count, float* out) const {
    size_t x = begin % columns_;
    size_t y = begin / columns_ % rows_;
    size_t channel = begin / columns_ / rows_;
    for (float* const end = out + count; out != end;) {
      const float* in = window + y * row_stride_ + x * channels_ + channel;
      const size_t run = std::min(columns_ - x, static_cast<size_t>(end - out));
      for (size_t i = 0; i < run; ++i, in += channels_) *out++ = *in;
      x = 0;
      if (++y == rows_) {
        y = 0;
        ++channel;
      }
    }
  }

  // Gathers channels [channel, end).
  void nine_taps(const float* window, size_t channel, size_t end, float* out) const {
    if (end - channel < 4) return any_taps(window, channel * kNineTaps, (end - channel) * kNineTaps, out);
    for (; channel + 4 <= end; channel += 4, out += 4 * kNineTaps) four_channels(window + channel, out);
    // Repeats the last four.
    if (channel != end) four_channels(window + end - 4, out - (channel + 4 - end) * kNineTaps);
  }

  void four_channels(const float* in, float* out) const {
    const float* const second = in + row_stride_;
    const float* const third = second + row_stride_;
    four_taps(wasm_v128_load(in), wasm_v128_load(in + channels_), wasm_v128_load(in + 2 * channels_),
              wasm_v128_load(second), out);
    four_taps(wasm_v128_load(second + channels_), wasm_v128_load(second + 2 * channels_), wasm_v128_load(third),
              wasm_v128_load(third + channels_), out + 4);
    const v128_t last = wasm_v128_load(third + 2 * channels_);
    wasm_v128_store32_lane(out + 8, last, 0);
    wasm_v128_store32_lane(out + 8 + kNineTaps, last, 1);
    wasm_v128_store32_lane(out + 8 + 2 * kNineTaps, last, 2);
    wasm_v128_store32_lane(out + 8 + 3 * kNineTaps, last, 3);
  }

  // Transposes four channels of four taps each.
  static void four_taps(v128_t a, v128_t b, v128_t c, v128_t d, float* out) {
    const v128_t ab_low = wasm_i32x4_shuffle(a, b, 0, 4, 1, 5);
    const v128_t ab_high = wasm_i32x4_shuffle(a, b, 2, 6, 3, 7);
    const v128_t cd_low = wasm_i32x4_shuffle(c, d, 0, 4, 1, 5);
    const v128_t cd_high = wasm_i32x4_shuffle(c, d, 2, 6, 3, 7);
    wasm_v128_store(out, wasm_i64x2_shuffle(ab_low, cd_low, 0, 2));
    wasm_v128_store(out + kNineTaps, wasm_i64x2_shuffle(ab_low, cd_low, 1, 3));
    wasm_v128_store(out + 2 * kNineTaps, wasm_i64x2_shuffle(ab_high, cd_high, 0, 2));
    wasm_v128_store(out + 3 * kNineTaps, wasm_i64x2_shuffle(ab_high, cd_high, 1, 3));
  }

  size_t row_stride_;
  size_t channels_;
  size_t rows_;
  size_t columns_;
};

// The extent of the values so far, which determines the scale of a group.
class Extent {
 public:
  explicit Extent(float first) : min_(wasm_f32x4_splat(first)), max_(min_), doubled_(wasm_i32x4_splat(0)) {}

  // An asymmetric scale needs all of it, a symmetric one the magnitude.
  template <bool kAsymmetric>
  void add(const float* x, size_t count) {
    if (count < 4) return add<kAsymmetric>(generic::load_some(x, count, *x));
    for (size_t i = 0; i + 4 <= count; i += 4) add<kAsymmetric>(wasm_v128_load(x + i));
    // The last four, some of them repeated.
    if (count % 4 != 0) add<kAsymmetric>(wasm_v128_load(x + count - 4));
  }

  template <bool kAsymmetric>
  GroupScale scale() const {
    return kAsymmetric ? asymmetric_group_scale(min(), max(), max_abs()) : symmetric_group_scale(max_abs());
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

  // Combines all lanes.
  template <class Combine>
  static v128_t reduced(v128_t lanes, Combine combine) {
    lanes = combine(lanes, wasm_i32x4_shuffle(lanes, lanes, 2, 3, 0, 1));
    return combine(lanes, wasm_i32x4_shuffle(lanes, lanes, 1, 0, 3, 2));
  }
  float min() const {
    return wasm_f32x4_extract_lane(reduced(min_, [](v128_t a, v128_t b) { return wasm_f32x4_pmin(a, b); }), 0);
  }
  float max() const {
    return wasm_f32x4_extract_lane(reduced(max_, [](v128_t a, v128_t b) { return wasm_f32x4_pmax(a, b); }), 0);
  }
  float max_abs() const {
    const v128_t doubled = reduced(doubled_, [](v128_t a, v128_t b) { return wasm_u32x4_max(a, b); });
    return std::bit_cast<float>(static_cast<uint32_t>(wasm_i32x4_extract_lane(doubled, 0)) / 2);
  }

  v128_t min_, max_;
  // Twice the bit patterns of max|x|: they have no sign, and infinity and NaN are greater than every number.
  v128_t doubled_;
};

class GroupQuantizer {
 public:
  explicit GroupQuantizer(const GroupScale& group)
      : scale_(wasm_f32x4_splat(group.scale)),
        min_(wasm_i16x8_splat(static_cast<int16_t>(group.min))),
        max_(wasm_i16x8_splat(static_cast<int16_t>(group.max))) {}

  void put(const float* x, size_t count, int16_t* q) const {
    if (count < 8) return put_few(x, count, q);
    for (size_t i = 0; i + 8 <= count; i += 8) put_eight(x + i, q + i);
    // The last eight, some of them repeated.
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

  // NaN becomes some number before it is clamped.
  [[gnu::always_inline]] v128_t quantized(v128_t low, v128_t high) const {
    const v128_t q = generic::narrowed(rounded(low), rounded(high), constants_);
    return wasm_i16x8_min(wasm_i16x8_max(q, min_), max_);
  }
  [[gnu::always_inline]] v128_t rounded(v128_t x) const {
    return generic::round_half_away(wasm_f32x4_div(x, scale_), constants_);
  }

  v128_t scale_, min_, max_;
  generic::HeldRoundingConstants constants_{generic::loaded(generic::kRoundingConstants)};
};

template <bool kAsymmetric>
class WindowQuantizer {
 public:
  WindowQuantizer(const Im2colView& view, const Im2colGroups& groups)
      : gather_(view, groups.channels), size_(view.rows * view.run), group_(groups.group) {}

  // Quantizes one window and advances q and scales.
  void quantize(const float* window, int16_t*& q, float*& scales) {
    if (group_ > WindowGather::kMax) return large_groups(window, q, scales);
    const size_t max = std::min(WindowGather::kMax / group_, kGroupsAtOnce) * group_;
    for (size_t begin = 0; begin < size_; begin += max) {
      const size_t count = std::min(max, size_ - begin);
      groups(gather_(window, begin, count, buffer_), count / group_, q, scales);
    }
  }

 private:
  static constexpr size_t kGroupsAtOnce = 64;

  // Computes all scales first: each is a chain of slow float operations, which overlap.
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

  // Gathers a group twice, part by part.
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
      count = std::min(WindowGather::kMax, end - begin);
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
void quantize_all(const QuantizeIm2colOperands& in) {
  WindowQuantizer<kAsymmetric> quantizer(in.view, in.groups);
  int16_t* q = in.q;
  float* scales = in.scales;
  for (size_t i = in.begin; i < in.end; ++i) quantizer.quantize(in.input + in.view.offset(i), q, scales);
}

}  // namespace

void quantize_im2col(const QuantizeIm2colOperands& operands) {
  const auto quantize = operands.groups.asymmetric ? quantize_all<true> : quantize_all<false>;
  quantize(operands);
}

}  // namespace quintet::simd128
