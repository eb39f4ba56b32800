#pragma once
// The files of a Hugging Face folder that describe its model, each collected while it arrives.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "architectures/decoder/config.h"
#include "architectures/encoder/config.h"
#include "base/bytes.h"
#include "formats/huggingface/folder.h"

namespace quintet {

class DescribingFiles {
 public:
  // A file that huggingface::Folder takes.
  void begin(std::string_view name);
  Status feed(Bytes chunk);
  Status end();
  uint64_t position() const { return text_.size(); }  // bytes of the file so far

  // All that was added.
  huggingface::Folder& folder() { return folder_; }
  // The configuration, of an encoder or of a decoder; nothing where the model is of the other kind.
  const std::optional<EncoderConfig>& encoder() const { return encoder_; }
  const std::optional<DecoderConfig>& decoder() const { return decoder_; }

 private:
  Status add();

  std::string name_;
  std::vector<std::byte> text_;
  huggingface::Folder folder_;
  std::optional<EncoderConfig> encoder_;
  std::optional<DecoderConfig> decoder_;
};

}  // namespace quintet
