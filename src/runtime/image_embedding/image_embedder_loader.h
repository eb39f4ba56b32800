#pragma once
// Loads an image embedder from a folder of Hugging Face or timm.

#include <memory>
#include <optional>
#include <string_view>

#include "architectures/vision/towers.h"
#include "formats/huggingface/folder.h"
#include "models/vision/graph_network.h"
#include "runtime/image_embedding/image_embedder.h"
#include "runtime/image_network/image_folder_files.h"
#include "runtime/model_folder/model_folder_loader.h"

namespace quintet {

// Those of the networks and of the tokenizer.
class TowerFolderFiles final : public ImageFolderFiles {
 public:
  huggingface::Folder& tokenizer() { return tokenizer_; }
  bool has_tokenizer() const { return has_tokenizer_; }

 private:
  Status add(std::string_view text) override;

  huggingface::Folder tokenizer_;
  bool has_tokenizer_ = false;
};

class ImageEmbedderLoader final : public ModelFolderLoader {
 public:
  // `format`: of a file outside of a folder; absent: detected. Tensors of a tower that is not chosen are not kept.
  ImageEmbedderLoader(std::optional<Format> format, vision::TowerChoice choice);
  ~ImageEmbedderLoader() override { close_files(); }

  // After the last file.
  Result<std::unique_ptr<ImageEmbedder>> finish();

 private:
  // Takes the tensors of both towers, and the two numbers of the similarity.
  class Sink final : public ModelSink {
   public:
    Sink(TowerFolderFiles& describing, vision::TowerChoice choice) : describing_(describing), choice_(choice) {}

    Status begin(const ModelDescription& description) override;
    Result<std::unique_ptr<ByteSink>> tensor(const TensorArrival& tensor) override;
    Status end(ModelDescription description) override;
    Result<std::unique_ptr<ImageEmbedder>> finish();

   private:
    Result<TextTower> text_tower();
    Result<SimilarityRule> similarity() const;

    TowerFolderFiles& describing_;
    vision::TowerChoice choice_;
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
