#include "models/tensor_sinks.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/unit_assembler.h"
#include "tensor/block_types.h"
#include "tensor/codecs/gguf_blocks.h"
#include "tensor/codecs/payload.h"
#include "tensor/finite.h"
#include "tensor/quantize.h"

namespace quintet {
namespace {

class PackingSink final : public TensorSink {
 public:
  PackingSink(PackedMatrix& matrix, size_t row_bytes) : matrix_(matrix), row_bytes_(row_bytes) {}

  Status write(Bytes bytes) override {
    return panels_.feed(bytes, row_bytes_ * kPanelRows, [this](Bytes panels) { return append(panels); });
  }
  Status finish() override { return append(panels_.partial()); }

 private:
  Status append(Bytes rows) { return matrix_.append_rows(rows.data(), rows.size() / row_bytes_); }

  PackedMatrix& matrix_;
  size_t row_bytes_;
  UnitAssembler<> panels_;
};

class RowTableSink final : public TensorSink {
 public:
  explicit RowTableSink(RowTable& table) : table_(table) {}
  Status write(Bytes bytes) override { return table_.append(bytes.data(), bytes.size()); }
  Status finish() override { return {}; }

 private:
  RowTable& table_;
};

class VectorSink final : public TensorSink {
 public:
  VectorSink(Dtype dtype, AlignedBuffer<float>& values) : dtype_(dtype), values_(values) {}

  Status write(Bytes bytes) override {
    const size_t element_bytes = bits_of(dtype_) / 8;
    return elements_.feed(bytes, element_bytes, [&](Bytes elements) -> Status {
      const size_t begin = values_.size();
      const uint64_t end = begin + uint64_t{elements.size() / element_bytes};
      if (values_.capacity() < end) {
        QUINTET_CHECK(values_.reserve(std::max<uint64_t>(end, uint64_t{begin} * 3 / 2)));
      }
      QUINTET_CHECK(values_.resize_uninitialized(end));
      decode(dtype_, elements, values_.span().subspan(begin));
      return {};
    });
  }
  Status finish() override { return {}; }

 private:
  Dtype dtype_;
  AlignedBuffer<float>& values_;
  UnitAssembler<> elements_;
};

Status append(std::span<const float> piece, AlignedBuffer<float>& values) {
  const size_t before = values.size();
  const uint64_t after = uint64_t{before} + piece.size();
  if (after > values.capacity()) QUINTET_CHECK(values.reserve(std::max<uint64_t>(after, uint64_t{before} * 2)));
  QUINTET_CHECK(values.resize_uninitialized(after));
  std::ranges::copy(piece, values.data() + before);
  return {};
}

Status append_row(PackedMatrix& matrix, Bytes row) { return matrix.append_rows(row.data(), 1); }
Status append_row(RowTable& table, Bytes row) { return table.append(row.data(), row.size()); }

template <class Target>
class RowSink final : public TensorSink {
 public:
  RowSink(std::unique_ptr<PayloadDecoder> decoder, Target& target) : decoder_(std::move(decoder)), target_(target) {}

  Status write(Bytes bytes) override {
    return decode_pieces(*decoder_, bytes, piece_, [this](std::span<const float> values) {
      return rows_.feed(values, target_.cols(), [this](std::span<const float> rows) -> Status {
        for (; !rows.empty(); rows = rows.subspan(target_.cols())) QUINTET_CHECK(append(rows.first(target_.cols())));
        return {};
      });
    });
  }
  Status finish() override {
    QUINTET_CHECK(decoder_->finish());
    return target_.storage() == Storage::i8 ? target_.set_scales(scales_) : Status();
  }

 private:
  Status append(std::span<const float> row) {
    if (target_.storage() != Storage::i8) return append_row(target_, std::as_bytes(row));
    if (!all_finite(row)) return input_error(Reason::out_of_range, "a value that is not finite cannot be quantized");
    quantized_.resize(row.size());
    scales_.push_back(quantize_int8(row, quantized_));
    return append_row(target_, std::as_bytes(std::span(quantized_)));
  }

  std::unique_ptr<PayloadDecoder> decoder_;
  Target& target_;
  std::vector<float> piece_;
  UnitAssembler<float> rows_;
  std::vector<int8_t> quantized_;
  std::vector<float> scales_;
};

class DecodingSink final : public TensorSink {
 public:
  DecodingSink(std::unique_ptr<PayloadDecoder> decoder, AlignedBuffer<float>& values)
      : decoder_(std::move(decoder)), values_(values) {}

  Status write(Bytes bytes) override {
    return decode_pieces(*decoder_, bytes, piece_,
                         [this](std::span<const float> values) { return append(values, values_); });
  }
  Status finish() override { return decoder_->finish(); }

 private:
  std::unique_ptr<PayloadDecoder> decoder_;
  AlignedBuffer<float>& values_;
  std::vector<float> piece_;
};

Result<std::unique_ptr<TensorSink>> sink_with(Result<std::unique_ptr<PayloadDecoder>> decoder, const TensorInfo& info,
                                              bool certain, AlignedBuffer<float>& values) {
  if (!decoder) {
    decoder.error().offset = info.offset;
    return fail(std::move(decoder).error());
  }
  if (certain) QUINTET_CHECK(values.reserve(info.elements()));
  return std::make_unique<DecodingSink>(*std::move(decoder), values);
}

// Plain floats and blocks of GGUF.
Result<std::unique_ptr<PayloadDecoder>> make_float_decoder(const TensorInfo& info) {
  if (codec_of(info.quantization.scheme) != Codec::gguf) {
    return make_network_decoder(info.dtype, info.quantization, info.elements());
  }
  if (gguf_payload_size(info.quantization.scheme, info.elements())) {
    return make_gguf_decoder(info.quantization.scheme, info.elements());
  }
  return tensor_error(Code::format, Reason::limit, info, "the blocks of this type do not divide the tensor");
}

template <class Target>
Result<std::unique_ptr<TensorSink>> row_sink_into(const TensorInfo& info, Target& target) {
  QUINTET_TRY(auto decoder, make_float_decoder(info));
  return std::make_unique<RowSink<Target>>(std::move(decoder), target);
}

}  // namespace

std::unique_ptr<TensorSink> packing_sink(const TensorInfo& info, PackedMatrix& matrix) {
  return std::make_unique<PackingSink>(matrix, matrix.cols() * bits_of(info.dtype) / 8);
}

std::unique_ptr<TensorSink> row_table_sink(RowTable& table) { return std::make_unique<RowTableSink>(table); }

Result<std::unique_ptr<TensorSink>> row_sink(const TensorInfo& info, PackedMatrix& matrix) {
  return row_sink_into(info, matrix);
}
Result<std::unique_ptr<TensorSink>> row_sink(const TensorInfo& info, RowTable& table) {
  return row_sink_into(info, table);
}

Result<std::unique_ptr<TensorSink>> float_sink(const TensorInfo& info, bool certain, AlignedBuffer<float>& values) {
  return sink_with(make_float_decoder(info), info, certain, values);
}

Result<std::unique_ptr<TensorSink>> vector_sink(const TensorInfo& info, AlignedBuffer<float>& values) {
  switch (info.dtype) {
    case Dtype::f32:
    case Dtype::f16:
    case Dtype::bf16:
      return std::make_unique<VectorSink>(info.dtype, values);
    default:
      return tensor_error(
          Code::unsupported, Reason::unknown_value, info,
          "a vector of data type " + std::string(name_of(info.dtype)) + "; supported are F32, F16 and BF16");
  }
}

Result<std::unique_ptr<TensorSink>> network_sink(const TensorInfo& info, bool certain, AlignedBuffer<float>& values) {
  return sink_with(make_network_decoder(info.dtype, info.quantization, info.elements()), info, certain, values);
}

Result<std::unique_ptr<TensorSink>> decoding_sink(const TensorInfo& info, bool certain, AlignedBuffer<float>& values) {
  return sink_with(make_decoder(info.dtype, info.quantization, info.elements(), info.bytes), info, certain, values);
}

}  // namespace quintet
