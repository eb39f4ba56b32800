#include "models/tensor_sinks.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "tensor/block_types.h"
#include "tensor/codecs/gguf_blocks.h"
#include "tensor/codecs/payload.h"
#include "tensor/finite.h"
#include "tensor/quantize.h"

namespace quintet {
namespace {

// Packs whole panels of rows as they arrive.
class PackingSink final : public ByteSink {
 public:
  PackingSink(const TensorInfo& info, PackedMatrix& matrix)
      : matrix_(matrix), row_bytes_(matrix.cols() * bits_of(info.dtype) / 8) {}

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

// Appends bytes unchanged.
class TableSink final : public ByteSink {
 public:
  TableSink(const TensorInfo&, RowTable& table) : table_(table) {}
  Status write(Bytes bytes) override { return table_.append(bytes.data(), bytes.size()); }
  Status finish() override { return {}; }

 private:
  RowTable& table_;
};

// Appends values to a buffer, which doubles if it was not reserved.
class BufferSink final : public ValueSink {
 public:
  explicit BufferSink(AlignedBuffer<float>& values) : values_(values) {}

  Status write(std::span<const float> piece) override {
    const size_t before = values_.size();
    const uint64_t after = uint64_t{before} + piece.size();
    if (after > values_.capacity()) QUINTET_CHECK(values_.reserve(std::max<uint64_t>(after, uint64_t{before} * 2)));
    QUINTET_CHECK(values_.resize_uninitialized(after));
    std::ranges::copy(piece, values_.data() + before);
    return {};
  }

 private:
  AlignedBuffer<float>& values_;
};

Status append_row(PackedMatrix& matrix, Bytes row) { return matrix.append_rows(row.data(), 1); }
Status append_row(RowTable& table, Bytes row) { return table.append(row.data(), row.size()); }

// Stores rows as float32, or quantizes them to int8.
template <class Target>
class StoringSink final : public RowSink {
 public:
  explicit StoringSink(Target& target) : RowSink(target.cols()), target_(target) {}

  Status finish() override { return target_.storage() == Storage::i8 ? target_.set_scales(scales_) : Status(); }

 private:
  Status take_row(std::span<const float> row) override {
    if (target_.storage() != Storage::i8) return append_row(target_, std::as_bytes(row));
    if (!all_finite(row)) return input_error(Reason::out_of_range, "a value that is not finite cannot be quantized");
    quantized_.resize(row.size());
    scales_.push_back(quantize_int8(row, quantized_));
    return append_row(target_, std::as_bytes(std::span(quantized_)));
  }

  Target& target_;
  std::vector<int8_t> quantized_;
  std::vector<float> scales_;
};

// Each target has a sink for values, one for bytes of its type, and a way to reserve memory.
std::unique_ptr<ByteSink> byte_sink(const TensorInfo& info, PackedMatrix& matrix) {
  return std::make_unique<PackingSink>(info, matrix);
}
std::unique_ptr<ByteSink> byte_sink(const TensorInfo& info, RowTable& table) {
  return std::make_unique<TableSink>(info, table);
}

template <class Target>
std::unique_ptr<ValueSink> value_sink(Target& target) {
  return std::make_unique<StoringSink<Target>>(target);
}
std::unique_ptr<ValueSink> value_sink(AlignedBuffer<float>& values) { return std::make_unique<BufferSink>(values); }

template <class Target>
Status reserve(const TensorInfo&, Target& target) {
  return target.reserve();
}
Status reserve(const TensorInfo& info, AlignedBuffer<float>& values) { return values.reserve(info.elements()); }

template <SourceTypes types>
Result<std::unique_ptr<ByteSink>> decoder_of(const TensorInfo& info, std::unique_ptr<ValueSink> values) {
  if constexpr (types == SourceTypes::all) {
    return make_decoder(info.dtype, info.quantization, info.elements(), info.bytes, std::move(values));
  } else if constexpr (types == SourceTypes::plain) {
    return make_plain_decoder(info.dtype, info.quantization, info.elements(), std::move(values));
  } else {
    if (types == SourceTypes::encoder && codec_of(info.quantization.scheme) == Codec::gguf) {
      if (gguf_payload_size(info.quantization.scheme, info.elements())) {
        return make_gguf_decoder(info.quantization.scheme, info.elements(), std::move(values));
      }
      return tensor_error(Code::format, Reason::limit, info, "the blocks of this type do not divide the tensor");
    }
    return make_network_decoder(info.dtype, info.quantization, info.elements(), std::move(values));
  }
}

}  // namespace

Status check_matrix(const TensorInfo& info) {
  constexpr uint64_t kMaxRows = INT32_MAX;
  const bool is_matrix = info.shape.size() == 2 && info.shape[0] != 0 && info.shape[1] != 0;
  if (is_matrix && info.shape[0] <= kMaxRows && info.shape[1] <= kMaxWidth) return {};
  return tensor_error(Code::format, Reason::mismatch, info, "shape {}, but expected a matrix", shape_text(info.shape));
}

Status RowSink::write(std::span<const float> values) {
  return rows_.feed(values, cols_, [this](std::span<const float> rows) -> Status {
    for (; !rows.empty(); rows = rows.subspan(cols_)) QUINTET_CHECK(take_row(rows.first(cols_)));
    return {};
  });
}

template <SourceTypes types, class Target>
Result<std::unique_ptr<ByteSink>> tensor_sink(const TensorArrival& tensor, Target& target) {
  const TensorInfo& info = tensor.info;
  if constexpr (types == SourceTypes::same) {
    if (tensor.bytes_exist) QUINTET_CHECK(reserve(info, target));
    return byte_sink(info, target);
  } else {
    auto sink = decoder_of<types>(info, value_sink(target));
    if (!sink) {
      sink.error().offset = info.offset;
    } else if (tensor.bytes_exist) {
      QUINTET_CHECK(reserve(info, target));
    }
    return sink;
  }
}

// Each is a separate function, which is only linked where it is called.
using Sink = Result<std::unique_ptr<ByteSink>>;
template Sink tensor_sink<SourceTypes::same>(const TensorArrival&, PackedMatrix&);
template Sink tensor_sink<SourceTypes::same>(const TensorArrival&, RowTable&);
template Sink tensor_sink<SourceTypes::plain>(const TensorArrival&, AlignedBuffer<float>&);
template Sink tensor_sink<SourceTypes::network>(const TensorArrival&, AlignedBuffer<float>&);
template Sink tensor_sink<SourceTypes::encoder>(const TensorArrival&, PackedMatrix&);
template Sink tensor_sink<SourceTypes::encoder>(const TensorArrival&, RowTable&);
template Sink tensor_sink<SourceTypes::encoder>(const TensorArrival&, AlignedBuffer<float>&);
template Sink tensor_sink<SourceTypes::all>(const TensorArrival&, PackedMatrix&);
template Sink tensor_sink<SourceTypes::all>(const TensorArrival&, AlignedBuffer<float>&);

}  // namespace quintet
