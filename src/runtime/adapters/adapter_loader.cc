#include "runtime/adapters/adapter_loader.h"

#include <cmath>
#include <utility>

#include "formats/detect.h"

namespace quintet {
namespace {

Failure unknown_adapter(std::string_view name) {
  return input_error(Reason::unknown_value, "there is no adapter {}", name);
}

}  // namespace

AdapterLoader::AdapterLoader(std::shared_ptr<const GeneratorModel> model)
    : ModelFolderLoader(read_decoder_model, describing_, std::nullopt),
      model_(std::move(model)),
      sink_(*model_),
      describing_(sink_) {}

Status AdapterLoader::Describing::add(std::string_view text) {
  QUINTET_TRY(auto config, huggingface::AdapterConfig::read(text));
  sink_.describe(std::move(config));
  return {};
}

std::string_view AdapterLoader::describing_name(std::string_view path) const {
  const std::string_view name = path.substr(path.find_last_of("/\\") + 1);
  return name == huggingface::AdapterConfig::kFile ? name : std::string_view();
}

Status AdapterLoader::begin_tensors(std::string_view, std::optional<uint64_t> total) {
  QUINTET_CHECK(check_model_file(false));
  end_description();
  read_model_file(total, sink_);
  return {};
}

Result<std::shared_ptr<const decoder::Adapter>> AdapterLoader::finish() {
  QUINTET_CHECK(finish_files());
  return sink_.finish();
}

Status AdapterStore::remove(std::string_view name) {
  const auto found = adapters_.find(name);
  if (found == adapters_.end()) return unknown_adapter(name);
  adapters_.erase(found);
  return {};
}

Result<decoder::Adapters> AdapterStore::chosen(std::string_view json) const {
  const auto parsed = parse_json(json);
  const Json::Array* list = parsed ? parsed->as_array() : nullptr;
  if (!list) return input_error(Reason::malformed, "the adapters are not a JSON array");
  decoder::Adapters chosen;
  for (const Json& entry : *list) {
    const std::string* name = entry.get("name").as_string();
    const auto scale = entry.get("scale").as_double();
    if (!name || !scale) return input_error(Reason::malformed, "an adapter has a name and a scale");
    const auto found = adapters_.find(*name);
    if (found == adapters_.end()) return unknown_adapter(*name);
    chosen.push_back({.adapter = found->second, .scale = static_cast<float>(*scale)});
  }
  return chosen;
}

}  // namespace quintet
