#pragma once
// The files of a folder that describe a network of images.

#include <cstdint>
#include <string_view>

#include "base/json.h"
#include "image/prepare.h"
#include "runtime/model_folder/text_files.h"

namespace quintet {

// config.json and preprocessor_config.json.
class ImageFolderFiles : public TextFiles {
 public:
  const Json& config() const { return config_; }              // null if there is none
  const Json& preprocessor() const { return preprocessor_; }  // likewise
  // Reads both from the metadata of a file that is a whole model.
  Status add_metadata(const Json& metadata);
  // The preparation of pictures; `input_size`: the size of the network's input, for files that do not name one.
  Result<Preparation> preparation(uint32_t input_size) const;

 protected:
  Status add(std::string_view text) override;

 private:
  Status add_file(std::string_view name, std::string_view text);

  Json config_, preprocessor_;
};

}  // namespace quintet
