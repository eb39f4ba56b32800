#pragma once
// The sink of a reader that loads an encoder into memory: from one file, or from the files of a folder or of a split
// GGUF model.

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "formats/model_sink.h"
#include "models/encoder/weights_loader.h"
#include "runtime/embedding/encoder_task.h"
#include "runtime/embedding/text_embedder.h"
#include "runtime/model_folder/split_model.h"

namespace quintet {

class EmbedderSink final : public ModelSink {
 public:
  EmbedderSink(size_t attention_heads, bool to_int8, EncoderTask task);

  // Receives the description of a folder, before its files with tensors. `is_sharded`: these are several files.
  void describe(ModelDescription description, const EncoderConfig& config, SentenceConfig sentence, bool is_sharded);

  Status begin(const ModelDescription& description) override;
  Result<std::unique_ptr<ByteSink>> tensor(const TensorArrival& tensor) override;
  Status end(ModelDescription description) override;

  // Whether the tensors are in several files.
  bool has_more_files() const { return is_sharded_; }
  // After the last file, without the Dense modules of a folder.
  Result<std::unique_ptr<TextEmbedder::Model>> finish();

 private:
  Status read(const ModelDescription& description);
  Status read_gguf(const ModelDescription& description);
  Status begin_file(const ModelDescription& description);
  Status begin_shard(const ModelDescription& description);
  Status check_tensors(const ModelDescription& description) const;
  Status finish_tokenizer();
  Status check_vocabulary() const;
  Status check_files() const;  // after the last one

  size_t attention_heads_;
  EncoderTask task_;
  bool is_sharded_ = false;
  SplitModel model_;
  std::optional<EncoderConfig> config_;
  SentenceConfig sentence_;
  // Modules of `sentence_` by path, which is in their order, if GGUF files contain them. Sinks write to them while
  // further ones are found.
  std::map<std::string, Dense, std::less<>> dense_;
  encoder::Weights weights_;
  encoder::WeightsLoader loader_;
};

}  // namespace quintet
