#pragma once
// Loads a decoder: one .amb, .alt or GGUF file, the files of a split GGUF model, or those of a Hugging Face folder.
// Weights go straight into the form that the kernels read. A model that does not fit is rejected (MEMORY) before its
// weights are read.

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "architectures/decoder/packed_weights.h"
#include "runtime/generation/generator_sink.h"
#include "runtime/model_folder/folder_files.h"
#include "runtime/model_folder/model_folder_loader.h"

namespace quintet {

class GeneratorLoader final : public ModelFolderLoader {
 public:
  // `format`: of a single file; absent: detected from its first bytes. `available`: available memory in bytes.
  GeneratorLoader(const GeneratorOptions& options, std::optional<Format> format, uint64_t available);
  ~GeneratorLoader() override { close_files(); }

  // After the last file.
  Result<std::unique_ptr<GeneratorModel>> finish();

 private:
  std::string_view describing_name(std::string_view path) const override;
  Status describing_file_ended() override;
  Status begin_tensors(std::string_view path, std::optional<uint64_t> total) override;
  Status describe();

  FolderFiles describing_;
  GeneratorSink sink_;
  std::optional<decoder::JoiningSink> joining_;  // before `sink_`, of a folder with weights of several tensors
  std::optional<DecoderConfig> config_;          // of the folder
};

}  // namespace quintet
