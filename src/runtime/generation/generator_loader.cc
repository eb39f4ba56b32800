#include "runtime/generation/generator_loader.h"

#include <utility>

#include "architectures/decoder/config.h"
#include "architectures/decoder/quantization_config.h"
#include "formats/detect.h"

namespace quintet {

GeneratorLoader::GeneratorLoader(const GeneratorOptions& options, std::optional<Format> format, uint64_t available)
    : ModelFolderLoader(read_decoder_model, describing_, format), sink_(options, available) {}

std::string_view GeneratorLoader::describing_name(std::string_view path) const {
  const std::string_view name = path.substr(path.find_last_of("/\\") + 1);
  return huggingface::Folder::takes(name) ? name : std::string_view();
}

Status GeneratorLoader::begin_tensors(std::string_view, std::optional<uint64_t> total) {
  QUINTET_CHECK(check_model_file(sink_.has_more_files()));
  if (is_folder() && !has_model_file()) {
    if (Status status = describe(); !status) return in_folder(failure_of(std::move(status)));
  }
  end_description();
  read_model_file(total, joining_ ? static_cast<ModelSink&>(*joining_) : sink_);
  return {};
}

Status GeneratorLoader::describe() {
  QUINTET_TRY(ModelDescription description, describing_.folder().describe_decoder());
  QUINTET_TRY(const auto packing, decoder::read_weight_packing(description.config));
  const decoder::TensorNames names(description);
  QUINTET_CHECK(sink_.describe(std::move(description), config_));
  if (packing) joining_.emplace(decoder::PackedWeights(*packing, *config_, names), sink_);
  return {};
}

Status GeneratorLoader::describing_file_ended() {
  const Json* json = config_ ? nullptr : describing_.folder().decoder_config();
  if (!json) return {};
  auto read = read_huggingface_config(*json);
  if (!read) return in_folder(failure_of(std::move(read)));
  config_ = *std::move(read);
  return {};
}

Result<std::unique_ptr<GeneratorModel>> GeneratorLoader::finish() {
  QUINTET_CHECK(finish_files());
  if (joining_) {
    if (Status status = joining_->check_whole(); !status) return in_folder(failure_of(std::move(status)));
  }
  return sink_.finish();
}

}  // namespace quintet
