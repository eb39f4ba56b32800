#pragma once
// Converts a model: first its files are described, then the ranges that the output needs are fed in the order of the
// output. Output is taken while input is fed, so that memory only holds a tensor, not a file.

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "runtime/convert/conversion.h"
#include "runtime/convert/convert_options.h"
#include "runtime/convert/source_files.h"

namespace quintet {

class Converter {
 public:
  explicit Converter(ConvertOptions options) : options_(std::move(options)) {}
  Converter(const Converter&) = delete;
  Converter& operator=(const Converter&) = delete;

  // The input files, as for SourceFiles.
  Status begin_file(std::string_view name, std::optional<uint64_t> total, bool seekable) {
    return files_.begin_file(name, total, seekable);
  }
  uint64_t position() const { return files_.position(); }
  Result<bool> end_file() { return files_.end_file(); }

  // A product to be added to a matrix, before plan().
  Status merge(LowRank product) {
    options_.products.push_back(std::move(product));
    return {};
  }

  // After the last file: decides how each tensor is converted. The head of the output is then ready.
  Status plan();
  // The range to feed next, with the number of its file; nothing when everything was fed or something failed, which
  // finish() then reports.
  std::optional<Range> next_range();
  // The next bytes of the file or, once planned, of the range; in pieces of any size.
  Status feed(Bytes piece) { return conversion_ ? conversion_->feed(piece) : files_.feed(piece); }

  bool wants_calibration() const { return conversion_ && conversion_->wants_calibration(); }
  uint32_t input_size() const { return conversion_ ? conversion_->input_size() : 0; }
  Status calibrate(std::span<const float> image, uint32_t height, uint32_t width);

  // After the last range, and the images.
  Status finish();

  // Bytes of the output that are ready; empty if there are none yet.
  std::vector<std::byte> take() { return output_.take(); }
  const ConvertProgress& progress() const { return output_.progress(); }

 private:
  ConvertOptions options_;
  SourceFiles files_;
  ModelOutput output_;
  std::unique_ptr<Conversion> conversion_;
  std::optional<Error> failure_;
};

}  // namespace quintet
