#include "architectures/encoder/lora.h"

#include <algorithm>
#include <string>

#include "architectures/config_fields.h"
#include "architectures/encoder/config.h"

namespace quintet {
namespace {

constexpr uint64_t kMaxTasks = 256;

// "a, b, c".
std::string listed_names(const Json::Array& names) {
  std::string text;
  for (const Json& name : names)
    text += formatted("{}{}", text.empty() ? "" : ", ", name.as_string() ? *name.as_string() : "");
  return text;
}

Status add_instructions(const ConfigFields& fields, std::string_view task, SentenceConfig& sentence) {
  const Json* instructions = fields.find("task_instructions");
  if (!instructions) return {};
  if (!instructions->as_object()) return fields.wrong(Reason::malformed, "task_instructions", "expected an object");
  for (const Json::Member& instruction : *instructions->as_object()) {
    if (!instruction.value.as_string()) return fields.wrong(Reason::malformed, "task_instructions", "expected texts");
    if (sentence.prompts.find(instruction.name)) continue;
    sentence.prompts.append(instruction.name, instruction.value);
    if (instruction.name == task) sentence.default_prompt = instruction.name;
  }
  return {};
}

}  // namespace

Status read_lora_json(const Json& config, std::string_view task, EncoderConfig& encoder, SentenceConfig& sentence) {
  const ConfigFields fields(config, "config.json", ConfigFields::Nulls::absent);
  QUINTET_TRY(const Json::Array* names, fields.list("lora_adaptations"));
  if (!names || names->empty()) {
    if (task.empty()) return {};
    return input_error(Reason::unknown_value, "task \"{}\": the model has no tasks", task);
  }
  QUINTET_CHECK(add_instructions(fields, task, sentence));
  if (task.empty()) return {};
  LoraTask lora = {.tasks = names->size()};
  if (lora.tasks > kMaxTasks) return fields.wrong(Reason::limit, "lora_adaptations", "too many tasks");
  const auto chosen =
      std::ranges::find_if(*names, [task](const Json& name) { return name.as_string() && *name.as_string() == task; });
  lora.number = static_cast<uint64_t>(chosen - names->begin());
  if (chosen == names->end()) {
    return input_error(Reason::unknown_value, "task \"{}\"; the model has {}", task, listed_names(*names));
  }
  double alpha = 1;
  QUINTET_CHECK(fields.natural("lora_rank", 1, kMaxWidth, lora.rank));
  QUINTET_CHECK(fields.positive("lora_alpha", kMaxReal, alpha));
  if (lora.rank == 0) return fields.wrong(Reason::missing, "lora_rank", "is missing");
  lora.scale = alpha / static_cast<double>(lora.rank);
  encoder.lora = lora;
  return {};
}

}  // namespace quintet
