#include "runtime/convert/payload_step.h"

#include <utility>

#include "runtime/convert/gguf_repacking.h"
#include "runtime/convert/rope_rows.h"
#include "tensor/codecs/payload.h"

namespace quintet {
namespace {

class Copy final : public PayloadStep {
 public:
  explicit Copy(Quantization quantization) : quantization_(quantization) {}
  Status write(Bytes piece, std::vector<std::byte>& out) override {
    out.insert(out.end(), piece.begin(), piece.end());
    return {};
  }
  Status finish(std::vector<std::byte>&) override { return {}; }
  Quantization quantization() const override { return quantization_; }

 private:
  Quantization quantization_;
};

class Recode final : public PayloadStep {
 public:
  Recode(std::unique_ptr<PayloadDecoder> decoder, std::unique_ptr<PayloadEncoder> encoder)
      : decoder_(std::move(decoder)), encoder_(std::move(encoder)) {}

  // In pieces, so that the values of one take little room whatever the caller's chunks are.
  Status write(Bytes bytes, std::vector<std::byte>& out) override {
    constexpr size_t kPieceBytes = size_t{1} << 14;
    while (!bytes.empty()) {
      const Bytes piece = bytes.first(std::min(kPieceBytes, bytes.size()));
      bytes = bytes.subspan(piece.size());
      values_.clear();
      QUINTET_CHECK(decoder_->write(piece, values_));
      QUINTET_CHECK(encoder_->write(values_, out));
    }
    return {};
  }
  Status finish(std::vector<std::byte>& out) override {
    QUINTET_CHECK(decoder_->finish());
    return encoder_->finish(out);
  }
  Quantization quantization() const override { return encoder_->quantization(); }

 private:
  std::unique_ptr<PayloadDecoder> decoder_;
  std::unique_ptr<PayloadEncoder> encoder_;
  std::vector<float> values_;
};

// Holds the payload until its rows can be put into order.
class RestoreRows final : public PayloadStep {
 public:
  RestoreRows(const Job& job, std::unique_ptr<PayloadStep> next) : job_(job), next_(std::move(next)) {}

  Status write(Bytes piece, std::vector<std::byte>&) override {
    payload_.insert(payload_.end(), piece.begin(), piece.end());
    return {};
  }
  Status finish(std::vector<std::byte>& out) override {
    restore_rows(payload_, job_.source.info, job_.source.interleaved_heads);
    QUINTET_CHECK(next_->write(payload_, out));
    return next_->finish(out);
  }
  Quantization quantization() const override { return next_->quantization(); }

 private:
  Job job_;
  std::unique_ptr<PayloadStep> next_;
  std::vector<std::byte> payload_;
};

Result<std::unique_ptr<PayloadStep>> make_plain_step(const Job& job) {
  const TensorInfo& from = job.source.info;
  const TensorInfo& to = job.output;
  const bool same = from.quantization == to.quantization && (from.quantized() || from.dtype == to.dtype);
  if (same) return std::make_unique<Copy>(to.quantization);
  if (auto repacking = make_repacking(from, to)) return repacking;
  QUINTET_TRY(auto decoder, make_decoder(from.dtype, from.quantization, from.elements(), from.bytes));
  QUINTET_TRY(auto encoder, make_encoder(to.dtype, to.quantization, to.elements(), to.bytes));
  return std::make_unique<Recode>(std::move(decoder), std::move(encoder));
}

}  // namespace

Result<std::unique_ptr<PayloadStep>> make_step(const Job& job) {
  QUINTET_TRY(auto step, make_plain_step(job));
  if (!is_reordered(job.source.info, job.source.interleaved_heads)) return step;
  return std::make_unique<RestoreRows>(job, std::move(step));
}

}  // namespace quintet
