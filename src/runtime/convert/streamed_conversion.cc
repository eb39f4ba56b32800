#include "runtime/convert/streamed_conversion.h"

#include <algorithm>

namespace quintet {

Result<std::optional<Range>> StreamedConversion::next_range() {
  if (left_ != 0)
    return fail({.code = Code::internal, .reason = Reason::truncated, .detail = "a range was not fed whole"});
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
  auto step = make_step(job);
  if (!step) return fail(in_tensor(std::move(step).error(), job.source.info.name));
  step_ = std::move(*step);
  ranges_ = payload_ranges(job.source.info, job.source.file);
  range_ = 0;
  begun_ = false;
  return {};
}

Status StreamedConversion::feed(Bytes piece) {
  if (piece.size() > left_)
    return fail({.code = Code::internal, .reason = Reason::trailing, .detail = "more than was asked for"});
  left_ -= piece.size();
  Status status = step_->write(piece, made_);
  if (!status) return fail(in_tensor(std::move(status).error(), plan_.jobs[job_ - 1].source.info.name));
  return flush();
}

Status StreamedConversion::end_job() {
  Status status = step_->finish(made_);
  if (!status) return fail(in_tensor(std::move(status).error(), plan_.jobs[job_ - 1].source.info.name));
  if (made_.empty() && !begun_) QUINTET_CHECK(write({}));
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
  Bytes made = made_;
  if (plan_.jobs[job_ - 1].scales) {
    const size_t missing = static_cast<size_t>(plan_.jobs[job_ - 1].scales->bytes) - scales_.size();
    const Bytes part = made.first(std::min(missing, made.size()));
    scales_.insert(scales_.end(), part.begin(), part.end());
    made = made.subspan(part.size());
  }
  if (!made.empty()) QUINTET_CHECK(write(made));
  made_.clear();
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

}  // namespace quintet
