#pragma once
// Loads an adapter for a model: a GGUF file, or the two files of a folder of PEFT. Nothing of the model changes.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/adapters/adapter_sink.h"
#include "runtime/model_folder/model_folder_loader.h"

namespace quintet {

class AdapterLoader final : public ModelFolderLoader {
 public:
  explicit AdapterLoader(std::shared_ptr<const GeneratorModel> model);
  ~AdapterLoader() override { close_files(); }

  // After the last file.
  Result<std::shared_ptr<const decoder::Adapter>> finish();

 private:
  // adapter_config.json.
  class Describing final : public TextFiles {
   public:
    explicit Describing(AdapterSink& sink) : sink_(sink) {}

   private:
    Status add(std::string_view text) override;

    AdapterSink& sink_;
  };

  std::string_view describing_name(std::string_view path) const override;
  Status describing_file_ended() override { return {}; }
  Status begin_tensors(std::string_view path, std::optional<uint64_t> total) override;

  std::shared_ptr<const GeneratorModel> model_;
  AdapterSink sink_;
  Describing describing_;
};

// Adapters by the names that the caller gave them.
class AdapterStore {
 public:
  // Takes the place of one with the same name.
  void add(std::string name, std::shared_ptr<const decoder::Adapter> adapter) { adapters_[name] = std::move(adapter); }
  // INPUT if there is none.
  Status remove(std::string_view name);
  // [{ name, scale }] as JSON. INPUT for an unknown name.
  Result<decoder::Adapters> chosen(std::string_view json) const;

 private:
  std::map<std::string, std::shared_ptr<const decoder::Adapter>, std::less<>> adapters_;
};

}  // namespace quintet
