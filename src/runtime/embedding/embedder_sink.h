#pragma once
// The sink of a reader that loads an encoder into memory: from one file, or one after another from those of a folder.

#include <memory>
#include <optional>
#include <vector>

#include "formats/model_sink.h"
#include "models/encoder/weights_loader.h"
#include "runtime/embedding/text_embedder.h"

namespace quintet {

class EmbedderSink final : public ModelSink {
 public:
  // `ranks`: the model is a reranker.
  EmbedderSink(size_t attention_heads, bool to_int8, bool ranks);

  // The model of a folder, before its files with tensors. `is_sharded`: the tensors are in several files.
  void describe(ModelDescription description, const EncoderConfig& config, SentenceConfig sentence, bool is_sharded);

  Status begin(const ModelDescription& description) override;
  Result<std::unique_ptr<TensorSink>> tensor(const TensorInfo& info, bool certain) override;
  Status end(ModelDescription description) override;

  bool has_more_files() const { return is_sharded_; }
  // After the last file, without the Dense modules of a folder.
  Result<std::unique_ptr<TextEmbedder::Model>> finish();

 private:
  Status read(const ModelDescription& description);
  Status begin_file(const ModelDescription& description);
  Status begin_shard(const ModelDescription& description);
  Status check_tensors(const ModelDescription& description) const;
  Status check_vocabulary() const;

  size_t attention_heads_;
  bool ranks_;
  bool is_folder_ = false, is_sharded_ = false;
  ModelDescription description_;  // with the tensors of all files
  std::optional<EncoderConfig> config_;
  SentenceConfig sentence_;
  std::vector<Dense> dense_;  // of a file that contains them: those of `sentence_`
  encoder::Weights weights_;
  encoder::WeightsLoader loader_;
};

}  // namespace quintet
