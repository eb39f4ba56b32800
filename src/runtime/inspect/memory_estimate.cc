#include "runtime/inspect/memory_estimate.h"

#include <algorithm>

namespace quintet {
namespace {

// What a module takes before it loads a model: its stack, its constants, and small objects.
constexpr uint64_t kEngineBytes = uint64_t{500} << 10;
// Memory grows by at least this much (cmake/wasm_module.cmake), of which half is left over on average.
constexpr uint64_t kGrowthStep = uint64_t{1} << 20;
constexpr uint64_t kInitialBytes = uint64_t{2} << 20;
// A load holds a piece of the file of at most this size.
constexpr uint64_t kPieceBytes = uint64_t{1} << 20;

MemoryEstimate estimate_of(const ModelDescription& description, const LoadPlan& plan) {
  MemoryEstimate memory;
  switch (description.format) {
    case Format::amb:
    case Format::alt:
      return decoder_memory(description, plan.options);
    case Format::gguf:
      if (is_encoder_gguf(description.architecture)) return encoder_memory(description, plan.to_int8());
      return decoder_memory(description, plan.options);
    case Format::tinyruntime:
      return table_memory(description);
    case Format::embd:
      return encoder_memory(description, plan.to_int8());
    case Format::safetensors:
      if (graph_memory(description, plan, memory)) return memory;
      return encoder_memory(description, plan.to_int8());
  }
  return memory;
}

}  // namespace

Result<LoadPlan> read_load_plan(std::string_view json) {
  const auto parsed = parse_json(json);
  const Json::Object* members = parsed ? parsed->as_object() : nullptr;
  if (!members) return input_error(Reason::malformed, "the options are not a JSON object");
  LoadPlan plan;
  GeneratorRequest request;
  for (const Json::Member& option : *members) {
    const std::string* const text = option.value.as_string();
    if (option.name != "towers") {
      QUINTET_CHECK(read_generator_option(option, request));
    } else if (text && *text == "image") {
      plan.towers = vision::TowerChoice::image;
    } else if (text && *text == "text") {
      plan.towers = vision::TowerChoice::text;
    }
  }
  plan.options = request.options;
  return plan;
}

uint64_t load_bytes(const MemoryEstimate& memory, uint64_t tokenizer) {
  const uint64_t used = kEngineBytes + memory.weights + tokenizer + std::max(memory.reading, memory.work);
  return std::max(used + kGrowthStep / 2, kInitialBytes);
}

MemoryEstimate estimate_memory(const ModelDescription& description, const LoadPlan& plan) {
  MemoryEstimate memory = estimate_of(description, plan);
  memory.reading += std::min(description.file_size.value_or(kPieceBytes), kPieceBytes);
  return memory;
}

}  // namespace quintet
