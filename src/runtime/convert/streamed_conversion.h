#pragma once
// A conversion that takes one tensor after another and holds no more of each than its types demand.

#include <memory>
#include <utility>
#include <vector>

#include "runtime/convert/conversion.h"
#include "runtime/convert/payload_step.h"

namespace quintet {

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
  // Sends out what the step has made.
  Status flush();
  Status write(Bytes payload);

  Plan plan_;
  ModelOutput& output_;
  size_t job_ = 0;  // the next to begin
  std::unique_ptr<PayloadStep> step_;
  std::vector<Range> ranges_;  // of the job at hand
  size_t range_ = 0;           // the next of them
  uint64_t left_ = 0;          // bytes of the range that was asked for
  std::vector<std::byte> made_;
  bool begun_ = false;             // whether the tensor is announced to the output
  std::vector<std::byte> scales_;  // .weights: they follow the matrix
};

}  // namespace quintet
