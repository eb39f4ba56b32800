#pragma once
// Compares a converted file, read again from its beginning, with the values of the source, tensor
// by tensor.

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "runtime/convert/convert_options.h"
#include "runtime/convert/float_resnet.h"
#include "runtime/convert/payload_step.h"
#include "runtime/convert/plan.h"
#include "runtime/convert/source_files.h"
#include "runtime/convert/source_model.h"
#include "tensor/codecs/payload.h"

namespace quintet {

struct TensorError {
  std::string tensor;
  double max_error = 0;  // largest difference of two values
  double cosine = 1;     // of the two tensors as vectors; 1 where both are zero
};

// How far the values of a converted tensor are from those that it was made of.
class TensorComparison {
 public:
  TensorComparison(std::string tensor, std::vector<float> expected)
      : tensor_(std::move(tensor)), expected_(std::move(expected)) {}

  // The next values of the converted tensor. Values that are equal, two NaN among them, do not
  // count as different.
  void add(std::span<const float> actual);
  // Values that are missing count as infinitely far.
  TensorError result() const;

 private:
  std::string tensor_;
  std::vector<float> expected_;
  size_t compared_ = 0;
  double max_error_ = 0;
  double product_ = 0, expected_square_ = 0, actual_square_ = 0;
};

class Verifier {
 public:
  // The number of the output among the files of a range.
  static constexpr uint32_t kOutput = UINT32_MAX;

  // As the conversion's.
  explicit Verifier(ConvertOptions options) : options_(std::move(options)) {}
  Verifier(const Verifier&) = delete;
  Verifier& operator=(const Verifier&) = delete;

  // The input files, as SourceFiles takes them.
  Status begin_file(std::string_view name, std::optional<uint64_t> total, bool seekable);
  uint64_t position() const { return file().position(); }
  Result<bool> end_file() { return source_files_.end_file(); }
  // The output, which is read whole: checksums are verified.
  Status begin_output(uint64_t total);
  Status end_output();

  Status plan();
  // The range to feed next; nothing when all was fed, or when something failed, which report() then
  // tells.
  std::optional<Range> next_range();
  // The next bytes of the file or, once planned, of the range.
  Status feed(Bytes piece);
  // The tensors that were compared since the last call.
  Result<std::vector<TensorError>> report();

 private:
  const SourceFiles& file() const { return reading_output_ ? output_files_ : source_files_; }
  Result<std::optional<Range>> advance();
  Status begin_source();
  Status begin_output_tensor();
  const std::string& output_name() const;
  Status end_payload();
  Status decode(Bytes piece);

  ConvertOptions options_;
  SourceFiles source_files_;
  SourceFiles output_files_;
  bool reading_output_ = false;
  bool planned_ = false;
  std::vector<Job> jobs_;
  std::optional<FloatResNet> network_;  // a network that is held whole, in place of jobs
  bool loading_ = false;                // while its source is fed
  std::vector<SourceTensor> written_;
  size_t job_ = 0;          // the next to begin; of a network, the tensor
  bool of_source_ = false;  // whose payload is being fed
  std::unique_ptr<PayloadDecoder> decoder_;
  std::vector<Range> ranges_;
  size_t range_ = 0;
  std::vector<std::byte> held_;  // a payload whose rows are to be put back into order
  std::vector<float> expected_;
  std::optional<TensorComparison> comparison_;
  std::vector<TensorError> errors_;
  std::optional<Error> failure_;
};

}  // namespace quintet
