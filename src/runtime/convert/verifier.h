#pragma once
// Compares a converted file, read again from its beginning, with the values of the source, tensor
// by tensor.

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "runtime/convert/convert_options.h"
#include "runtime/convert/float_resnet.h"
#include "runtime/convert/plan.h"
#include "runtime/convert/range.h"
#include "runtime/convert/rope_rows.h"
#include "runtime/convert/source_files.h"
#include "runtime/convert/tensor_comparison.h"
#include "tensor/codecs/payload.h"

namespace quintet {

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
