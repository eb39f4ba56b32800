#pragma once
// Loads an image classifier: a tinyRuntime file, a safetensors file with torchvision's names, or a folder of Hugging
// Face or timm.

#include <memory>
#include <optional>
#include <string_view>

#include "models/vision/network_loader.h"
#include "runtime/classification/image_classifier.h"
#include "runtime/image_network/image_folder_files.h"
#include "runtime/model_folder/model_folder_loader.h"

namespace quintet {

struct ClassifierOptions {
  std::optional<Format> format = {};     // of a file outside of a folder; absent: detected
  std::optional<NetworkKind> kind = {};  // of a tinyRuntime file; absent: inferred
  bool to_int8 = false;                  // pointwise convolutions of other files
};

class ClassifierLoader final : public ModelFolderLoader {
 public:
  explicit ClassifierLoader(const ClassifierOptions& options);
  ~ClassifierLoader() override { close_files(); }

  // After the last file.
  Result<std::unique_ptr<ImageClassifier>> finish();

 private:
  // Receives the tensors of any of these files.
  class Sink final : public ModelSink {
   public:
    Sink(ImageFolderFiles& describing, bool to_int8) : describing_(describing), to_int8_(to_int8) {}

    Status begin(const ModelDescription& description) override;
    Result<std::unique_ptr<ByteSink>> tensor(const TensorArrival& tensor) override;
    Status end(ModelDescription description) override;
    Result<std::unique_ptr<ImageClassifier>> finish();

   private:
    ImageFolderFiles& describing_;
    bool to_int8_;
    std::unique_ptr<vision::NetworkLoader> loader_;
    std::optional<ModelDescription> description_;
  };

  std::string_view describing_name(std::string_view path) const override;
  Status describing_file_ended() override { return {}; }
  Status begin_tensors(std::string_view path, std::optional<uint64_t> total) override;

  ImageFolderFiles describing_;
  std::optional<NetworkKind> kind_;
  Sink sink_;
};

}  // namespace quintet
