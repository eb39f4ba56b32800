#pragma once
// Loads an embedder, a reranker or a classifier: one model file, the files of a split GGUF model, or those of a Hugging
// Face folder, where the files of Dense modules come before those of the network.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/model_description.h"
#include "runtime/embedding/dense.h"
#include "runtime/embedding/embedder_sink.h"
#include "runtime/embedding/encoder_task.h"
#include "runtime/embedding/query_weights.h"
#include "runtime/embedding/static_sink.h"
#include "runtime/embedding/text_embedder.h"
#include "runtime/model_folder/folder_files.h"
#include "runtime/model_folder/model_folder_loader.h"

namespace quintet {

struct EmbedderOptions {
  std::optional<Format> format = {};  // of a model file; absent: detected
  size_t attention_heads = 0;         // for files that do not contain it; 0: unknown
  bool to_int8 = false;               // quantize matrices of floats while they are read
  EncoderTask task = EncoderTask::embed;
  std::string lora_task = {};  // whose adapter is added to the weights; empty: none
};

class EmbedderLoader final : public ModelFolderLoader {
 public:
  explicit EmbedderLoader(const EmbedderOptions& options);
  ~EmbedderLoader() override { close_files(); }

  // After the last file: the model of an embedder, a reranker or a classifier.
  Result<std::unique_ptr<TextEmbedder::Model>> finish_model();
  Result<std::unique_ptr<TextEmbedder>> finish();

 private:
  std::string_view describing_name(std::string_view path) const override;
  Status describing_file_ended() override;
  Status begin_tensors(std::string_view path, std::optional<uint64_t> total) override;
  Status begin_network(std::optional<uint64_t> total);
  Status begin_module(std::string_view path, std::string_view folder, std::optional<uint64_t> total);

  const Json* config_json();
  bool is_static() const { return is_model2vec_ || (sentence_ && sentence_->static_folder); }
  Status describe();
  Status read_head();
  Status describe_static();
  std::string_view network_folder() const;
  Status check_dense() const;

  FolderFiles describing_;
  EmbedderOptions options_;
  EmbedderSink sink_;
  std::optional<StaticSink> static_sink_;  // in place of `sink_`
  bool is_model2vec_ = false;              // as in config.json
  bool model2vec_normalizes_ = false;      // likewise
  bool is_sharded_ = false;
  std::optional<EncoderConfig> config_;          // of the folder
  std::optional<SentenceConfig> sentence_;       // likewise, once all describing files were read
  std::vector<std::optional<DenseSink>> dense_;  // in the order of `sentence_`
  std::optional<QueryWeightsSink> query_weights_;
};

}  // namespace quintet
