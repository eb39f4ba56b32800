#include "runtime/convert/payload_step.h"

#include <array>
#include <cstring>
#include <span>
#include <utility>

#include "architectures/transformer/tensor_order.h"
#include "base/unit_assembler.h"
#include "runtime/convert/packed_source.h"
#include "tensor/codecs/payload.h"

namespace quintet {
namespace {

constexpr uint32_t kBlock = 32;
constexpr size_t kScaleBytes = 2;

using Output = std::vector<std::byte>;

// A step whose quantization is known in advance.
class KnownStep : public PayloadStep {
 public:
  Status finish() override { return {}; }
  Quantization quantization() const final { return quantization_; }

 protected:
  KnownStep(const Quantization& quantization, Output& out) : quantization_(quantization), out_(out) {}

  void put(Bytes bytes) { out_.insert(out_.end(), bytes.begin(), bytes.end()); }

 private:
  Quantization quantization_;
  Output& out_;
};

// Splits a payload, which arrives in pieces of any size, into blocks.
class BlockStep : public KnownStep {
 public:
  Status write(Bytes piece) final {
    return blocks_.feed(piece, block_bytes_, [&](Bytes blocks) -> Status {
      for (; !blocks.empty(); blocks = blocks.subspan(block_bytes_)) repack(blocks.first(block_bytes_));
      return {};
    });
  }

 protected:
  BlockStep(size_t block_bytes, const Quantization& quantization, Output& out)
      : KnownStep(quantization, out), block_bytes_(block_bytes) {}

  virtual void repack(Bytes block) = 0;

 private:
  size_t block_bytes_;
  UnitAssembler<> blocks_;
};

// Q4_0 stores value i in the low half of byte i and value i + 16 in its high half, offset by 8; AMB stores adjacent
// values together, in two's complement. The scale is the same.
class Q4ToInt4Block final : public BlockStep {
 public:
  Q4ToInt4Block(const Quantization& quantization, Output& out)
      : BlockStep(kScaleBytes + kBlock / 2, quantization, out) {}

 private:
  void repack(Bytes block) override {
    put(block.first(kScaleBytes));
    const Bytes halves = block.subspan(kScaleBytes);
    const auto value = [halves](size_t i) {
      const auto both = std::to_integer<unsigned>(halves[i % (kBlock / 2)]);
      constexpr unsigned kSign = 8;
      return (i < kBlock / 2 ? both & 15u : both >> 4) ^ kSign;
    };
    std::array<std::byte, kBlock / 2> pairs;
    for (size_t i = 0; i < kBlock; i += 2) pairs[i / 2] = static_cast<std::byte>(value(i) | value(i + 1) << 4);
    put(pairs);
  }
};

// Q8_0 stores each scale before its values; AMB stores all scales before all values, so the values must wait.
class Q8ToInt8 final : public BlockStep {
 public:
  Q8ToInt8(const Quantization& quantization, Output& out) : BlockStep(kScaleBytes + kBlock, quantization, out) {}

  Status finish() override {
    put(values_);
    return {};
  }

 private:
  void repack(Bytes block) override {
    put(block.first(kScaleBytes));
    values_.insert(values_.end(), block.begin() + kScaleBytes, block.end());
  }

  std::vector<std::byte> values_;
};

// GGUF types that AMB can store without loss: Q4_0 as INT4BLOCK and Q8_0 as INT8, both in blocks of 32 values with FP16
// scales. Null for other pairs of types.
std::unique_ptr<PayloadStep> make_repacking(const TensorInfo& from, const TensorInfo& to, Output& out) {
  const Quantization& target = to.quantization;
  if (target.block != kBlock || target.scale_dtype != Dtype::f16) return nullptr;
  if (from.quantization.scheme == Scheme::q4_0 && target.scheme == Scheme::int4_block) {
    return std::make_unique<Q4ToInt4Block>(target, out);
  }
  if (from.quantization.scheme == Scheme::q8_0 && target.scheme == Scheme::int8) {
    return std::make_unique<Q8ToInt8>(target, out);
  }
  return nullptr;
}

class Copy final : public KnownStep {
 public:
  Copy(const Quantization& quantization, Output& out) : KnownStep(quantization, out) {}
  Status write(Bytes piece) override {
    put(piece);
    return {};
  }
};

// Decodes values and encodes them again.
class Recode final : public PayloadStep {
 public:
  static Result<std::unique_ptr<PayloadStep>> create(const TensorInfo& from, const TensorInfo& to, Output& out,
                                                     const Job& job) {
    auto step = std::make_unique<Recode>();
    auto values = std::make_unique<Values>(out);
    values->products = job.products;
    step->values_ = values.get();
    QUINTET_TRY(step->decoder_,
                make_decoder(from.dtype, from.quantization, from.elements(), from.bytes, std::move(values)));
    QUINTET_TRY(step->values_->encoder, make_encoder(to.dtype, to.quantization, to.elements(), to.bytes));
    return step;
  }

  Status write(Bytes bytes) override { return decoder_->write(bytes); }
  Status finish() override { return decoder_->finish(); }
  Quantization quantization() const override { return values_->encoder->quantization(); }

 private:
  struct Values final : ValueSink {
    explicit Values(Output& output) : out(output) {}
    Status write(std::span<const float> values) override {
      if (products.empty()) return encoder->write(values, out);
      std::vector<float> sum(values.begin(), values.end());
      for (const auto& product : products) product->add_to(sum, done);
      done += sum.size();
      return encoder->write(sum, out);
    }
    Status finish() override { return encoder->finish(out); }

    std::unique_ptr<PayloadEncoder> encoder;
    Output& out;
    std::vector<std::shared_ptr<const LowRankProduct>> products;
    size_t done = 0;
  };

  std::unique_ptr<ByteSink> decoder_;
  Values* values_ = nullptr;  // of the decoder
};

// Holds the payload until its rows can be reordered.
class RestoreRows final : public PayloadStep {
 public:
  RestoreRows(const Job& job, std::unique_ptr<PayloadStep> next) : job_(job), next_(std::move(next)) {}

  Status write(Bytes piece) override {
    payload_.insert(payload_.end(), piece.begin(), piece.end());
    return {};
  }
  Status finish() override {
    restore_rows(payload_, job_.source);
    QUINTET_CHECK(next_->write(payload_));
    return next_->finish();
  }
  Quantization quantization() const override { return next_->quantization(); }

 private:
  Job job_;
  std::unique_ptr<PayloadStep> next_;
  std::vector<std::byte> payload_;
};

// Holds the parts of a quantized matrix until it is complete.
class JoinParts final : public PayloadStep {
 public:
  JoinParts(PackedSourceReader reader, bool as_floats, std::unique_ptr<PayloadStep> next)
      : reader_(std::move(reader)), as_floats_(as_floats), next_(std::move(next)) {}

  Status write(Bytes piece) override { return reader_.add(piece); }
  Status finish() override {
    QUINTET_CHECK(reader_.write_to(*next_, as_floats_));
    return next_->finish();
  }
  Quantization quantization() const override { return next_->quantization(); }

 private:
  PackedSourceReader reader_;
  bool as_floats_;
  std::unique_ptr<PayloadStep> next_;
};

Result<std::unique_ptr<PayloadStep>> make_plain_step(const Job& job, Output& out) {
  const TensorInfo& from = job.source.info;
  const TensorInfo& to = job.output;
  if (!job.products.empty()) return Recode::create(from, to, out, job);
  const bool same = from.quantization == to.quantization && (from.quantized() || from.dtype == to.dtype);
  if (same) return std::make_unique<Copy>(to.quantization, out);
  if (auto repacking = make_repacking(from, to, out)) return repacking;
  return Recode::create(from, to, out, job);
}

// The rows of a float32 matrix that is stored by columns.
std::vector<std::byte> transposed(Bytes columns, size_t rows, size_t width) {
  std::vector<std::byte> out(columns.size());
  for (size_t row = 0; row < rows; ++row) {
    for (size_t column = 0; column < width; ++column) {
      std::memcpy(out.data() + (row * width + column) * sizeof(float),
                  columns.data() + (column * rows + row) * sizeof(float), sizeof(float));
    }
  }
  return out;
}

// Passes on only the scales, or only the integers, of a payload [scales][integers].
class OnePart final : public PayloadStep {
 public:
  static Result<std::unique_ptr<PayloadStep>> create(const Job& job, Output& out) {
    TensorInfo quantized = job.source.info;
    quantized.dtype = Dtype::i8;
    quantized.quantization = *job.split;
    quantized.bytes = quantized.elements();
    auto step = std::make_unique<OnePart>(job.output.dtype == Dtype::f32, quantized.shape[0] * sizeof(float), out);
    QUINTET_TRY(step->whole_, Recode::create(job.source.info, quantized, step->payload_, job));
    return step;
  }
  OnePart(bool is_scales, uint64_t scales_bytes, Output& out)
      : is_scales_(is_scales), scales_bytes_(static_cast<size_t>(scales_bytes)), out_(out) {}

  Status write(Bytes piece) override { return whole_->write(piece); }
  Status finish() override {
    QUINTET_CHECK(whole_->finish());
    const Bytes payload = payload_;
    const Bytes part = is_scales_ ? payload.first(scales_bytes_) : payload.subspan(scales_bytes_);
    out_.insert(out_.end(), part.begin(), part.end());
    return {};
  }
  Quantization quantization() const override { return {}; }

 private:
  bool is_scales_;
  size_t scales_bytes_;
  Output& out_;
  Output payload_;
  std::unique_ptr<PayloadStep> whole_;
};

// Unless a matrix keeps its integers, all steps start from its values.
Result<std::unique_ptr<PayloadStep>> make_joining_step(Job job, Output& out) {
  const bool as_floats = !job.products.empty() || job.output.quantization != job.source.info.quantization;
  if (as_floats) job.source.info.quantization = {};
  QUINTET_TRY(auto next, make_plain_step(job, out));
  QUINTET_TRY(auto reader, PackedSourceReader::create(job.source));
  return std::make_unique<JoinParts>(std::move(reader), as_floats, std::move(next));
}

}  // namespace

Result<std::unique_ptr<PayloadStep>> make_step(const Job& job, std::vector<std::byte>& out) {
  QUINTET_CHECK(transformer::check_order(job.source.info, job.source.order));
  if (job.split) return OnePart::create(job, out);
  if (job.source.packed) return make_joining_step(job, out);
  QUINTET_TRY(auto step, make_plain_step(job, out));
  if (!is_reordered(job.source)) return step;
  return std::make_unique<RestoreRows>(job, std::move(step));
}

void restore_rows(std::vector<std::byte>& payload, const SourceTensor& tensor) {
  const TensorInfo& info = tensor.info;
  if (payload.empty()) return;
  if (info.transposed) {
    payload = transposed(payload, static_cast<size_t>(info.shape[0]), static_cast<size_t>(info.shape[1]));
    return;
  }
  transformer::restore_order(payload, info, tensor.order);
}

}  // namespace quintet
