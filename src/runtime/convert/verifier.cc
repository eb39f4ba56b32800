#include "runtime/convert/verifier.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/convert/network_conversion.h"

namespace quintet {
namespace {

// Compares the values of a converted tensor as they are decoded.
class ComparingSink final : public ValueSink {
 public:
  ComparingSink(TensorComparison comparison, std::vector<TensorError>& errors)
      : comparison_(std::move(comparison)), errors_(errors) {}

  Status write(std::span<const float> values) override {
    comparison_.add(values);
    return {};
  }
  Status finish() override {
    errors_.push_back(comparison_.result());
    return {};
  }

 private:
  TensorComparison comparison_;
  std::vector<TensorError>& errors_;
};

}  // namespace

void TensorComparison::add(std::span<const float> actual) {
  for (const float value : actual) {
    const float expected =
        compared_ < expected_.size() ? expected_[compared_] : std::numeric_limits<float>::quiet_NaN();
    const bool surplus = compared_++ >= expected_.size();
    // Equal values that are not finite are left out of the cosine.
    const bool same = value == expected || (std::isnan(value) && std::isnan(expected) && !surplus);
    if (same && !std::isfinite(value)) continue;
    const double difference = same ? 0 : std::fabs(double{value} - double{expected});
    // Written so that NaN counts as different.
    if (!(difference <= max_error_))
      max_error_ = std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
    product_ += double{value} * double{expected};
    expected_square_ += double{expected} * double{expected};
    actual_square_ += double{value} * double{value};
  }
}

TensorError TensorComparison::result() const {
  TensorError error{.tensor = tensor_, .max_error = max_error_};
  if (compared_ != expected_.size()) error.max_error = std::numeric_limits<double>::infinity();
  if (expected_square_ == 0 && actual_square_ == 0) return error;
  const double cosine = product_ / std::sqrt(expected_square_ * actual_square_);
  error.cosine = std::isfinite(cosine) ? std::min(cosine, 1.0) : 0;
  return error;
}

Status Verifier::begin_file(std::string_view name, std::optional<uint64_t> total, bool seekable) {
  return source_files_.begin_file(name, total, seekable);
}

Status Verifier::begin_output(uint64_t total) {
  reading_output_ = true;
  return output_files_.begin_file("", total, false);
}

Status Verifier::end_output() {
  QUINTET_TRY(const bool again, output_files_.end_file());
  return again ? Status(input_error(Reason::checksum, "the output was not read completely")) : Status();
}

Status Verifier::plan() {
  QUINTET_TRY(const SourceModel source, source_files_.describe());
  QUINTET_TRY(const SourceModel written, output_files_.describe());
  if (held_whole(source, options_)) {
    QUINTET_TRY(network_, FloatNetwork::create(source));
    loading_ = true;
  } else {
    QUINTET_TRY(Plan plan, plan_conversion(source, options_));
    jobs_ = std::move(plan.jobs);
  }
  // If the scales of int8 matrices are copied as separate tensors, they are compared as such.
  const bool joined = std::ranges::any_of(jobs_, [](const Job& job) { return job.scales.has_value(); });
  written_ = joined ? with_joined_scales(written) : written.tensors;
  join_split_tensors();
  planned_ = true;
  return {};
}

SourceTensor* Verifier::written(std::string_view name) {
  for (SourceTensor& tensor : written_) {
    if (tensor.info.name == name) return &tensor;
  }
  return nullptr;
}

// Integers and their scales, which were made of one tensor, are compared with it as one.
void Verifier::join_split_tensors() {
  static constexpr std::string_view kSuffix = "_scale";
  std::erase_if(jobs_, [this](const Job& job) {
    const std::string_view name = job.output.name;
    if (!job.split || !name.ends_with(kSuffix)) return false;
    const SourceTensor* const scale = written(name);
    SourceTensor* const integers = written(name.substr(0, name.size() - kSuffix.size()));
    if (!scale || !integers) return false;  // reported when it is compared
    integers->info.quantization = *job.split;
    integers->info.scales_offset = scale->info.offset;
    integers->info.scales_bytes = scale->info.bytes;
    return true;
  });
}

std::optional<Range> Verifier::next_range() {
  if (!planned_ || failure_) return std::nullopt;
  auto range = advance();
  if (range) return *range;
  failure_ = std::move(range).error();
  return std::nullopt;
}

Result<std::optional<Range>> Verifier::advance() {
  if (loading_) {
    QUINTET_TRY(const std::optional<Range> range, network_->next_range());
    if (range) return range;
    QUINTET_CHECK(network_->fold());
    loading_ = false;
  }
  while (range_ == ranges_.size()) {
    if (decoder_) QUINTET_CHECK(end_payload());
    if (of_source_) {
      QUINTET_CHECK(begin_output_tensor());
    } else {
      if (job_ == (network_ ? network_->tensors().size() : jobs_.size())) return std::nullopt;
      QUINTET_CHECK(begin_source());
    }
  }
  return ranges_[range_++];
}

const std::string& Verifier::output_name() const {
  return network_ ? network_->tensors()[job_ - 1].tensor.name : jobs_[job_ - 1].output.name;
}

Status Verifier::begin_source() {
  if (network_) {
    expected_ = network_->values()[job_++];
    of_source_ = true;
    return {};
  }
  SourceTensor& tensor = jobs_[job_++].source;
  if (tensor.packed) {
    QUINTET_TRY(packed_, PackedSourceReader::create(tensor));
    tensor.info.quantization = {};
  }
  QUINTET_TRY(decoder_, make_decoder(tensor.info.dtype, tensor.info.quantization, tensor.info.elements(),
                                     tensor.info.bytes, std::make_unique<ValueCollector>(expected_)));
  ranges_ = ranges_of(tensor);
  range_ = 0;
  of_source_ = true;
  return {};
}

Status Verifier::begin_output_tensor() {
  const std::string& name = output_name();
  const SourceTensor* const found = written(name);
  if (!found) return missing_tensor(name, "a tensor is missing in the output");
  const TensorInfo& info = found->info;
  auto comparing = std::make_unique<ComparingSink>(TensorComparison(name, std::exchange(expected_, {})), errors_);
  QUINTET_TRY(decoder_, make_decoder(info.dtype, info.quantization, info.elements(), info.bytes, std::move(comparing)));
  ranges_ = ranges_of({.info = info, .file = kOutput});
  range_ = 0;
  of_source_ = false;
  return {};
}

Status Verifier::feed(Bytes piece) {
  if (!planned_) return reading_output_ ? output_files_.feed(piece) : source_files_.feed(piece);
  if (loading_) return network_->feed(piece);
  if (packed_) return packed_->add(piece);
  const Job* job = of_source_ ? &jobs_[job_ - 1] : nullptr;
  if (job == nullptr || !is_reordered(job->source)) return decoder_->write(piece);
  held_.insert(held_.end(), piece.begin(), piece.end());
  return {};
}

Status Verifier::end_payload() {
  if (packed_) {
    QUINTET_CHECK(packed_->write_to(*decoder_, true));
    packed_.reset();
  }
  if (!held_.empty()) {
    restore_rows(held_, jobs_[job_ - 1].source);
    QUINTET_CHECK(decoder_->write(held_));
    held_ = {};
  }
  QUINTET_CHECK(decoder_->finish());
  decoder_.reset();
  return {};
}

Result<std::vector<TensorError>> Verifier::report() {
  if (failure_) return fail(*failure_);
  return std::exchange(errors_, {});
}

}  // namespace quintet
