#pragma once
// Loads an image classifier: a tinyRuntime file, a safetensors file with torchvision's names, or a folder of Hugging
// Face or timm.

#include <memory>
#include <optional>
#include <string_view>

#include "base/json.h"
#include "models/vision/network_loader.h"
#include "runtime/classification/image_classifier.h"
#include "runtime/model_folder/model_folder_loader.h"

namespace quintet {

// config.json and preprocessor_config.json.
class ImageFolderFiles final : public TextFiles {
 public:
  const Json& config() const { return config_; }              // null if there is none
  const Json& preprocessor() const { return preprocessor_; }  // likewise
  // Takes both from the metadata of a file that is a whole model.
  Status add_metadata(const Json& metadata);

 private:
  Status add(std::string_view text) override;
  Status add_file(std::string_view name, std::string_view text);

  Json config_, preprocessor_;
};

class ClassifierLoader final : public ModelFolderLoader {
 public:
  // `format`: of a file outside of a folder; absent: detected. `kind`: of a tinyRuntime file; absent: inferred.
  ClassifierLoader(std::optional<Format> format, std::optional<NetworkKind> kind);
  ~ClassifierLoader() override { close_files(); }

  // After the last file.
  Result<std::unique_ptr<ImageClassifier>> finish();

 private:
  // Takes the tensors of any of these files.
  class Sink final : public ModelSink {
   public:
    explicit Sink(ImageFolderFiles& describing) : describing_(describing) {}

    Status begin(const ModelDescription& description) override;
    Result<std::unique_ptr<ByteSink>> tensor(const TensorArrival& tensor) override;
    Status end(ModelDescription description) override;
    Result<std::unique_ptr<ImageClassifier>> finish();

   private:
    ImageFolderFiles& describing_;
    std::unique_ptr<vision::NetworkLoader> loader_;
    std::optional<ModelDescription> description_;
  };

  std::string_view describing_name(std::string_view path) const override;
  Status describing_file_ended() override { return {}; }
  Status begin_tensors(std::string_view path, std::optional<uint64_t> total) override;

  ImageFolderFiles describing_;
  std::optional<NetworkKind> kind_;
  Sink sink_{describing_};
};

}  // namespace quintet
