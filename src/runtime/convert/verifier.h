#pragma once
// Compares a converted file, read from its beginning, with the values of the source, tensor by tensor.

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
#include "runtime/convert/float_network.h"
#include "runtime/convert/packed_source.h"
#include "runtime/convert/payload_step.h"
#include "runtime/convert/plan.h"
#include "runtime/convert/source_files.h"
#include "runtime/convert/source_model.h"
#include "tensor/codecs/payload.h"

namespace quintet {

struct TensorError {
  std::string tensor;
  double max_error = 0;  // largest difference between two values
  double cosine = 1;     // of the two tensors as vectors; 1 if both are zero
};

// The difference between a converted tensor and its source.
class TensorComparison {
 public:
  TensorComparison(std::string tensor, std::vector<float> expected)
      : tensor_(std::move(tensor)), expected_(std::move(expected)) {}

  // The next values of the converted tensor. Equal values, including two NaNs, do not count as different.
  void add(std::span<const float> actual);
  // Missing values count as an infinite difference.
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
  // The file number of the output in ranges.
  static constexpr uint32_t kOutput = UINT32_MAX;

  // The options of the conversion.
  explicit Verifier(ConvertOptions options) : options_(std::move(options)) {}
  Verifier(const Verifier&) = delete;
  Verifier& operator=(const Verifier&) = delete;

  // The input files, as for SourceFiles.
  Status begin_file(std::string_view name, std::optional<uint64_t> total, bool seekable);
  uint64_t position() const { return file().position(); }
  Result<bool> end_file() { return source_files_.end_file(); }
  // The output, which is read completely: checksums are verified.
  Status begin_output(uint64_t total);
  Status end_output();

  Status plan();
  // The range to feed next; nothing when everything was fed or something failed, which report() then returns.
  std::optional<Range> next_range();
  // The next bytes of the file or, once planned, of the range.
  Status feed(Bytes piece);
  // The tensors compared since the last call.
  Result<std::vector<TensorError>> report();

 private:
  const SourceFiles& file() const { return reading_output_ ? output_files_ : source_files_; }
  Result<std::optional<Range>> advance();
  SourceTensor* written(std::string_view name);  // null without one
  void join_split_tensors();
  Status begin_source();
  Status begin_output_tensor();
  const std::string& output_name() const;
  Status end_payload();

  ConvertOptions options_;
  SourceFiles source_files_;
  SourceFiles output_files_;
  bool reading_output_ = false;
  bool planned_ = false;
  std::vector<Job> jobs_;
  std::optional<FloatNetwork> network_;  // a network that is held completely, instead of jobs
  bool loading_ = false;                 // while its source is fed
  std::vector<SourceTensor> written_;
  size_t job_ = 0;          // the next to start; for a network, the tensor
  bool of_source_ = false;  // the tensor whose payload is being fed
  std::unique_ptr<ByteSink> decoder_;
  std::vector<Range> ranges_;
  size_t range_ = 0;
  std::vector<std::byte> held_;               // a payload whose rows must be reordered
  std::optional<PackedSourceReader> packed_;  // the parts of a quantized matrix
  std::vector<float> expected_;
  std::vector<TensorError> errors_;
  std::optional<Error> failure_;
};

}  // namespace quintet
