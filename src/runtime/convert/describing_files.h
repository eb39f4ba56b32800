#pragma once
// The files that describe the model of a Hugging Face folder, and its configuration.

#include <optional>

#include "architectures/decoder/config.h"
#include "architectures/encoder/config.h"
#include "runtime/model_folder/folder_files.h"

namespace quintet {

class DescribingFiles : private FolderFiles {
 public:
  using FolderFiles::begin, FolderFiles::feed, FolderFiles::position, FolderFiles::folder, FolderFiles::sentence_config;
  // Whether the files are those of an image network, by the class that config.json names or as timm writes it; and the
  // texts of those that describe it, by their names.
  bool is_image_network() const { return is_image_network_; }
  const Json& texts() const { return texts_; }
  // An unsupported model is rejected before its weights are read.
  Status end();

  // The configuration, of an encoder or of a decoder; nothing if the model is of the other kind.
  const std::optional<EncoderConfig>& encoder() const { return encoder_; }
  const std::optional<DecoderConfig>& decoder() const { return decoder_; }
  // An error if the model is an encoder with a head for classification.
  const Status& head() const { return head_; }

 private:
  Status add(std::string_view text) override;
  Status read_config();

  bool is_image_network_ = false;
  Json texts_ = Json::object();
  std::optional<EncoderConfig> encoder_;
  Status head_;
  std::optional<DecoderConfig> decoder_;
};

}  // namespace quintet
