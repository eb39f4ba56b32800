#include "runtime/convert/conversion.h"

#include <algorithm>

#include "runtime/convert/network_conversion.h"
#include "runtime/convert/payload_step.h"

namespace quintet {
namespace {

// Converts one tensor after another, and holds no more of each than its types require.
class StreamedConversion final : public Conversion {
 public:
  StreamedConversion(Plan plan, ModelOutput& output) : plan_(std::move(plan)), output_(output) {}

  Status begin() override { return output_.begin(plan_.description.format, plan_.description); }
  Result<std::optional<Range>> next_range() override;
  Status feed(Bytes piece) override;
  Status finish() override { return output_.finish(); }

 private:
  Status begin_job();
  Status end_job();
  // Passes on the output of the step.
  Status flush();
  Status write(Bytes payload);

  Plan plan_;
  ModelOutput& output_;
  size_t job_ = 0;                  // the next to start
  std::vector<Range> ranges_;       // of the current job
  size_t range_ = 0;                // the next one
  uint64_t left_ = 0;               // remaining bytes of the requested range
  std::vector<std::byte> pending_;  // the output of the step that is ready
  std::unique_ptr<PayloadStep> step_;
  bool begun_ = false;             // whether the tensor was announced to the output
  std::vector<std::byte> scales_;  // .weights: they follow the matrix
};

Result<std::optional<Range>> StreamedConversion::next_range() {
  if (left_ != 0) return fail(Code::internal, Reason::truncated, "a range was not fed completely");
  while (range_ == ranges_.size()) {
    if (step_) QUINTET_CHECK(end_job());
    if (job_ == plan_.jobs.size()) return std::nullopt;
    QUINTET_CHECK(begin_job());
  }
  left_ = ranges_[range_].bytes;
  return ranges_[range_++];
}

Status StreamedConversion::begin_job() {
  const Job& job = plan_.jobs[job_++];
  auto step = make_step(job, pending_);
  if (!step) return in_tensor(failure_of(std::move(step)), job.source.info.name);
  step_ = std::move(*step);
  ranges_ = ranges_of(job.source);
  range_ = 0;
  begun_ = false;
  return {};
}

Status StreamedConversion::feed(Bytes piece) {
  if (piece.size() > left_) return fail(Code::internal, Reason::trailing, "more bytes than were requested");
  left_ -= piece.size();
  Status status = step_->write(piece);
  if (!status) return in_tensor(failure_of(std::move(status)), plan_.jobs[job_ - 1].source.info.name);
  return flush();
}

Status StreamedConversion::end_job() {
  Status status = step_->finish();
  if (!status) return in_tensor(failure_of(std::move(status)), plan_.jobs[job_ - 1].source.info.name);
  if (pending_.empty() && !begun_) QUINTET_CHECK(write({}));
  QUINTET_CHECK(flush());
  step_.reset();
  const std::optional<TensorInfo>& scales = plan_.jobs[job_ - 1].scales;
  if (!scales) return {};
  QUINTET_CHECK(output_.begin_tensor(*scales));
  QUINTET_CHECK(output_.write(scales_));
  scales_.clear();
  return {};
}

Status StreamedConversion::flush() {
  Bytes pending = pending_;
  if (plan_.jobs[job_ - 1].scales) {
    const size_t missing = static_cast<size_t>(plan_.jobs[job_ - 1].scales->bytes) - scales_.size();
    const Bytes part = pending.first(std::min(missing, pending.size()));
    scales_.insert(scales_.end(), part.begin(), part.end());
    pending = pending.subspan(part.size());
  }
  if (!pending.empty()) QUINTET_CHECK(write(pending));
  pending_.clear();
  return {};
}

Status StreamedConversion::write(Bytes payload) {
  if (!begun_) {
    TensorInfo info = plan_.jobs[job_ - 1].output;
    info.quantization = step_->quantization();
    QUINTET_CHECK(output_.begin_tensor(info));
    begun_ = true;
  }
  return output_.write(payload);
}

Result<std::unique_ptr<Conversion>> create_for(const SourceModel& source, const ConvertOptions& options,
                                               ModelOutput& output) {
  if (!options.products.empty() && source.family != Family::decoder) {
    return unsupported_error("adapters are merged only into text generators, not into {}", name_of(source.family));
  }
  if (held_whole(source, options)) return NetworkConversion::create(source, options, output);
  QUINTET_TRY(Plan plan, plan_conversion(source, options));
  plan.description.format = options.to;
  return std::make_unique<StreamedConversion>(std::move(plan), output);
}

}  // namespace

Status ModelOutput::begin(Format format, ModelDescription& description) {
  writer_ = make_writer(format);
  progress_.total = description.tensors.size();
  return writer_->begin(description, ready_);
}

Status ModelOutput::begin_tensor(const TensorInfo& info) {
  progress_.tensor = info.name;
  progress_.done = begun_++;
  return writer_->begin_tensor(info, ready_);
}

Status ModelOutput::finish() {
  progress_.done = begun_;
  return writer_->finish(ready_);
}

Status Conversion::calibrate(std::span<const float>, uint32_t, uint32_t) {
  return input_error(Reason::mismatch, "only static quantization is calibrated with images");
}

Result<std::unique_ptr<Conversion>> Conversion::create(const SourceModel& source, const ConvertOptions& options,
                                                       ModelOutput& output) {
  auto conversion = create_for(source, options, output);
  if (conversion || conversion.error().code != Code::format) return conversion;
  return in_format(failure_of(std::move(conversion)), name_of(source.description.format));
}

}  // namespace quintet
