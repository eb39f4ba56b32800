#pragma once
// Loads an image embedder from a folder of Hugging Face or timm.

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "architectures/vision/towers.h"
#include "formats/huggingface/folder.h"
#include "models/vision/graph_network.h"
#include "runtime/image_embedding/image_embedder.h"
#include "runtime/image_network/image_folder_files.h"
#include "runtime/model_folder/model_folder_loader.h"

namespace quintet {

// The files of the networks and of the tokenizer.
class TowerFolderFiles final : public ImageFolderFiles {
 public:
  huggingface::Folder& tokenizer() { return tokenizer_; }
  bool has_tokenizer() const { return has_tokenizer_ || pieces_; }
  // The tokenizer, described. Requires that there is one, and moves it.
  Result<ModelDescription> describe_tokenizer();

 private:
  Status add(std::string_view text) override;

  huggingface::Folder tokenizer_;
  bool has_tokenizer_ = false;
  std::optional<std::string> pieces_;  // parsed only without tokenizer.json, which has more
};

struct ImageEmbedderOptions {
  std::optional<Format> format = {};                       // of a file outside of a folder; absent: detected
  vision::TowerChoice towers = vision::TowerChoice::both;  // tensors of the other one are not kept
  bool to_int8 = false;  // quantize the linear layers of transformers while they are read
};

class ImageEmbedderLoader final : public ModelFolderLoader {
 public:
  explicit ImageEmbedderLoader(const ImageEmbedderOptions& options);
  ~ImageEmbedderLoader() override { close_files(); }

  // After the last file.
  Result<std::unique_ptr<ImageEmbedder>> finish();

 private:
  // Receives the tensors of both towers, and the two numbers of the similarity.
  class Sink final : public ModelSink {
   public:
    Sink(TowerFolderFiles& describing, const ImageEmbedderOptions& options)
        : describing_(describing), options_(options) {}

    Status begin(const ModelDescription& description) override;
    Result<std::unique_ptr<ByteSink>> tensor(const TensorArrival& tensor) override;
    Status end(ModelDescription description) override;
    Result<std::unique_ptr<ImageEmbedder>> finish();

   private:
    Result<TextTower> text_tower();
    Result<SimilarityRule> similarity() const;

    TowerFolderFiles& describing_;
    ImageEmbedderOptions options_;
    vision::Towers towers_;
    std::optional<vision::GraphLoader> image_, text_;
    std::string family_;
    AlignedBuffer<float> scale_, bias_;  // empty if the file has none
    std::optional<ModelDescription> description_;
  };

  std::string_view describing_name(std::string_view path) const override;
  Status describing_file_ended() override { return {}; }
  Status begin_tensors(std::string_view path, std::optional<uint64_t> total) override;

  TowerFolderFiles describing_;
  Sink sink_;
};

}  // namespace quintet
