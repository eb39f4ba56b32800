#pragma once
// Converts a model, given file by file and chunk by chunk, to .weights. The output is taken while the input is fed, so that
// no file is ever held whole. Exceptions: a flat .weights source, whose end must be seen before the output can begin, and
// an int8 matrix that is to become something else, until its scales have come.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_stream.h"
#include "base/parse.h"
#include "base/result.h"
#include "runtime/convert/conversion.h"
#include "runtime/convert/convert_options.h"
#include "runtime/convert/weights_output.h"

namespace quintet {

class Converter {
 public:
  explicit Converter(ConvertOptions options) : options_(std::move(options)) {}
  Converter(const Converter&) = delete;
  Converter& operator=(const Converter&) = delete;

  // The next input file. The roles follow from the names: config.json, vocab.txt, tokenizer.json and
  // tokenizer_config.json describe a Hugging Face model and come before its tensors; any other name, or none, is the
  // model file itself. `total` is the file's length where it is known.
  Status begin_file(std::string_view name, std::optional<uint64_t> total);
  Status feed(Bytes chunk);
  Status end_file();
  // After the last file.
  Status finish();

  // Bytes of the output that are ready; empty where there are none yet.
  std::vector<std::byte> take() { return output_.take(); }
  const ConvertProgress& progress() const { return output_.progress(); }

 private:
  enum class Role : uint8_t { none, config, vocab_txt, tokenizer_json, tokenizer_config, model };

  static Role role_of(std::string_view name);
  Status begin_model(std::optional<uint64_t> total);
  // Whether the reading of the model has failed, or ended; a success where it still goes on.
  Status model_status();
  Status read_description();  // of the text file that has ended
  Result<std::optional<HuggingFaceParts>> parts();

  ConvertOptions options_;
  WeightsOutput output_;
  Role role_ = Role::none;
  std::vector<std::byte> text_;  // of a file that describes
  std::optional<Json> config_;
  std::optional<TokenizerDescription> tokenizer_;
  std::optional<Conversion> conversion_;
  std::optional<ByteStream> stream_;
  std::optional<Parse<void>> parse_;
  std::optional<Status> model_status_;  // once the parse is done
};

}  // namespace quintet
