// The values of packed weights.

#include <algorithm>
#include <cmath>

#include "base/byte_reader.h"
#include "base/json.h"
#include "formats/huggingface/packed_weight.h"
#include "tensor/block_types.h"
#include "tensor/codecs/amb.h"
#include "tensor/codecs/bit_packing.h"

namespace quintet::huggingface {
namespace {

// The position of an output in a word of AWQ: the outputs 0, 2, 4, 6, 1, 3, 5, 7 follow each other (AutoAWQ,
// modules/linear/gemm.py, from_linear).
constexpr uint8_t kAwqPlaces[kValuesPerWord] = {0, 4, 1, 5, 2, 6, 3, 7};
constexpr int kMiddle = 8;            // of four bits
constexpr float kLargest = 127;       // of int8 values
constexpr size_t kRowsTogether = 16;  // a cache line of words of a transposed matrix

Status widen(const TensorInfo& info, Bytes bytes, AlignedBuffer<float>& values) {
  QUINTET_CHECK(values.resize_uninitialized(info.elements()));
  decode(info.dtype, bytes, values.span());
  return {};
}

uint32_t word_at(Bytes bytes, uint64_t i) {
  return load_le<uint32_t>(bytes, static_cast<size_t>(i) * sizeof(uint32_t));
}
int nibble_of(uint32_t word, size_t i) { return static_cast<int>(word >> (4 * i) & 15); }

// Writes a matrix group by group, as AMB's payload or as float32 values.
class GroupWriter {
 public:
  // `codebook`: the values that the integers stand for; empty: themselves.
  GroupWriter(ByteSink& sink, const Quantization& quantization, bool as_floats, std::span<const float> codebook)
      : sink_(sink), quantization_(quantization), as_floats_(as_floats), codebook_(codebook) {
    // The nearest integers take the place of the values.
    for (size_t i = 0; i < codebook.size(); ++i)
      codes_[i] = static_cast<int8_t>(std::nearbyint(codebook[i] * kLargest));
  }

  // Whether put_scale() must be called for all groups before the first is put.
  bool has_scales_ahead() const { return !as_floats_ && !scale_in_block(quantization_.scheme); }
  void put_scale(float scale) {
    append_scale(quantization_.scale_dtype, codebook_.empty() ? scale : scale / kLargest, out_);
  }
  void put(std::span<int8_t> q, float scale) {
    if (as_floats_) return put_values(q, scale);
    if (!has_scales_ahead()) put_scale(scale);
    if (!codebook_.empty()) {
      for (int8_t& value : q) value = codes_[static_cast<size_t>(value)];
    }
    const unsigned bits = bits_of(quantization_.scheme);
    const size_t begin = out_.size();
    out_.resize(begin + static_cast<size_t>(packed_bytes(bits, q.size())));
    pack(bits, q, out_.data() + begin);
  }
  Status flush() {
    QUINTET_CHECK(sink_.write(out_));
    out_.clear();
    return {};
  }

 private:
  void put_values(std::span<const int8_t> q, float scale) {
    for (const int8_t value : q) {
      append_scale(Dtype::f32,
                   (codebook_.empty() ? static_cast<float>(value) : codebook_[static_cast<size_t>(value)]) * scale,
                   out_);
    }
  }

  ByteSink& sink_;
  const Quantization& quantization_;
  bool as_floats_;
  std::span<const float> codebook_;
  std::array<int8_t, kCodes> codes_ = {};
  std::vector<std::byte> out_;
};

}  // namespace

// bitsandbytes may quantize the scales of its blocks too: they are an offset plus a value of a codebook times the scale
// of a block of them (functional.py, dequantize_4bit).
Status PackedWeight::read_scales(AlignedBuffer<float>& scales) const {
  const Part& part = at(WeightPart::scales);
  if (packing_.packing != Packing::bnb4) {
    QUINTET_CHECK(widen(*part.info, part.bytes.span(), scales));
    if (packing_.packing == Packing::bnb8) {
      for (float& scale : scales.span()) scale /= kLargest;
    }
    return {};
  }
  const auto parsed = parse_json(as_text(at(WeightPart::state).bytes.span()));
  if (!parsed) return wrong(WeightPart::state, "it is not JSON");
  const Json& state = *parsed;
  const Json::Array* shape = state.get("shape").as_array();
  const bool fits = shape && shape->size() == 2 && (*shape)[0].as_uint() == matrix_.shape[0] &&
                    (*shape)[1].as_uint() == matrix_.shape[1];
  if (!fits || state.get("blocksize").as_uint() != grid_.group) {
    return wrong(WeightPart::state, "expected the shape {} and blocks of {}", shape_text(matrix_.shape), grid_.group);
  }
  if (part.info->dtype != Dtype::u8) return widen(*part.info, part.bytes.span(), scales);
  AlignedBuffer<float> outer, codebook;
  QUINTET_CHECK(widen(*at(WeightPart::outer_scales).info, at(WeightPart::outer_scales).bytes.span(), outer));
  QUINTET_CHECK(widen(*at(WeightPart::outer_codebook).info, at(WeightPart::outer_codebook).bytes.span(), codebook));
  const uint64_t block = state.get("nested_blocksize").as_uint().value_or(0);
  const auto offset = state.get("nested_offset").as_double();
  const Bytes codes = part.bytes.span();
  if (block == 0 || !offset || (codes.size() + block - 1) / block != outer.size()) {
    return wrong(WeightPart::state, "nested_blocksize and nested_offset do not fit the scales");
  }
  QUINTET_CHECK(scales.resize_uninitialized(codes.size()));
  for (size_t i = 0; i < codes.size(); ++i) {
    const float code = codebook[std::to_integer<size_t>(codes[i])];
    scales[i] = code * outer[static_cast<size_t>(i / block)] + static_cast<float>(*offset);
  }
  return {};
}

Status PackedWeight::read_codebook(AlignedBuffer<float>& codebook) const {
  const Part& part = at(WeightPart::codebook);
  QUINTET_CHECK(widen(*part.info, part.bytes.span(), codebook));
  if (std::ranges::all_of(codebook.span(), [](float value) { return std::fabs(value) <= 1; })) return {};
  return wrong(WeightPart::codebook, "its values must be between -1 and 1");
}

// The stored integers of some rows, [count][cols].
void PackedWeight::unpack(size_t row, size_t count, int8_t* q) const {
  const Bytes values = at(WeightPart::values).bytes.span();
  const auto rows = static_cast<size_t>(grid_.rows), cols = static_cast<size_t>(grid_.cols);
  switch (packing_.packing) {
    case Packing::gptq:
    case Packing::packed: {
      const bool transposed = packing_.packing == Packing::gptq;
      const size_t words = cols / kValuesPerWord, next_word = transposed ? rows : 1, next_row = transposed ? 1 : words;
      for (size_t w = 0; w < words; ++w) {
        for (size_t r = 0; r < count; ++r) {
          const uint32_t packed = word_at(values, w * next_word + (row + r) * next_row);
          for (size_t i = 0; i < kValuesPerWord; ++i)
            q[r * cols + w * kValuesPerWord + i] = static_cast<int8_t>(nibble_of(packed, i));
        }
      }
      return;
    }
    case Packing::awq:
      for (size_t col = 0; col < cols; ++col) {
        for (size_t r = 0; r < count; ++r) {
          const uint32_t packed = word_at(values, (col * rows + row + r) / kValuesPerWord);
          q[r * cols + col] = static_cast<int8_t>(nibble_of(packed, kAwqPlaces[(row + r) % kValuesPerWord]));
        }
      }
      return;
    case Packing::bnb4:
      for (size_t i = 0; i < count * cols; i += 2) {
        const auto both = std::to_integer<unsigned>(values[(row * cols + i) / 2]);
        q[i] = static_cast<int8_t>(both >> 4);
        q[i + 1] = static_cast<int8_t>(both & 15);
      }
      return;
    case Packing::int8:
    case Packing::bnb8:
      std::ranges::copy(values.subspan(row * cols, count * cols), reinterpret_cast<std::byte*>(q));
      return;
  }
}

int PackedWeight::zero(size_t row, size_t group) const {
  if (!at(WeightPart::zeros).info) return kMiddle;
  const Bytes zeros = at(WeightPart::zeros).bytes.span();
  const size_t rows = (static_cast<size_t>(grid_.rows) + kValuesPerWord - 1) / kValuesPerWord;
  const size_t groups = static_cast<size_t>(grid_.groups());
  const bool transposed = layout_of(packing_.packing).transposed;
  const uint32_t packed =
      word_at(zeros, transposed ? group * rows + row / kValuesPerWord : row / kValuesPerWord * groups + group);
  const size_t place = packing_.packing == Packing::awq ? kAwqPlaces[row % kValuesPerWord] : row % kValuesPerWord;
  // AutoGPTQ adds one and keeps four bits (qlinear_cuda_old.py).
  return (nibble_of(packed, place) + static_cast<int>(packing_.zero_offset)) & 15;
}

Status PackedWeight::subtract_zeros(size_t row, size_t count, int8_t* q) const {
  if (layout_of(packing_.packing).dtype != Dtype::i32) return {};
  const size_t group = static_cast<size_t>(grid_.group), groups = static_cast<size_t>(grid_.groups());
  for (size_t r = 0; r < count; ++r) {
    for (size_t g = 0; g < groups; ++g, q += group) {
      const int middle = zero(row + r, g);
      if (middle != kMiddle && !packing_.has_zeros) {
        return wrong(WeightPart::zeros, "a zero point of {}, but the weights are said to be symmetric", middle);
      }
      for (size_t i = 0; i < group; ++i) q[i] = static_cast<int8_t>(q[i] - middle);
    }
  }
  return {};
}

Status PackedWeight::write_to(ByteSink& sink, bool as_floats) const {
  QUINTET_CHECK(check_shape());
  AlignedBuffer<float> scales, codebook;
  QUINTET_CHECK(read_scales(scales));
  if (packing_.packing == Packing::bnb4) QUINTET_CHECK(read_codebook(codebook));
  const auto rows = static_cast<size_t>(grid_.rows), groups = static_cast<size_t>(grid_.groups());
  const auto group = static_cast<size_t>(grid_.group);
  const bool transposed = layout_of(packing_.packing).transposed;
  const auto scale_of = [&](size_t row, size_t g) { return scales[transposed ? g * rows + row : row * groups + g]; };
  GroupWriter writer(sink, matrix_.quantization, as_floats, codebook.span());
  for (size_t row = 0; row < rows && writer.has_scales_ahead(); ++row) {
    for (size_t g = 0; g < groups; ++g) writer.put_scale(scale_of(row, g));
    QUINTET_CHECK(writer.flush());
  }
  AlignedBuffer<int8_t> q;
  QUINTET_CHECK(q.resize(kRowsTogether * grid_.cols));
  for (size_t row = 0; row < rows; row += kRowsTogether) {
    const size_t count = std::min(kRowsTogether, rows - row);
    unpack(row, count, q.data());
    QUINTET_CHECK(subtract_zeros(row, count, q.data()));
    for (size_t i = 0; i < count * groups; ++i) {
      writer.put(q.span().subspan(i * group, group), scale_of(row + i / groups, i % groups));
    }
    QUINTET_CHECK(writer.flush());
  }
  return {};
}

}  // namespace quintet::huggingface
