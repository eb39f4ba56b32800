// The tensors of a small Llama whose weights another program has quantized: the first byte chooses how, the rest is a
// safetensors file. It is loaded whole and in pieces, and converted: a model, or an error that gives the reason.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/convert/converter.h"
#include "runtime/generation/generator_loader.h"

namespace {

using namespace quintet;

constexpr uint64_t kAvailable = uint64_t{16} << 20;
constexpr std::string_view kSizes =
    R"({"model_type":"llama","vocab_size":8,"hidden_size":16,"num_hidden_layers":1,"num_attention_heads":2,)"
    R"("intermediate_size":16,"max_position_embeddings":8,"tie_word_embeddings":true,"quantization_config":)";
constexpr std::string_view kQuantizations[] = {
    R"({"quant_method":"gptq","bits":4,"group_size":8})",
    R"({"quant_method":"gptq","bits":4,"group_size":16,"sym":false,"checkpoint_format":"gptq_v2"})",
    R"({"quant_method":"awq","bits":4,"group_size":8})",
    R"({"quant_method":"compressed-tensors","format":"pack-quantized","config_groups":{"a":{"weights":{"num_bits":4,"group_size":8}}}})",
    R"({"quant_method":"compressed-tensors","format":"pack-quantized","config_groups":{"a":{"weights":{"num_bits":4,"symmetric":false}}}})",
    R"({"quant_method":"compressed-tensors","format":"int-quantized","config_groups":{"a":{"weights":{"num_bits":8}}}})",
    R"({"quant_method":"bitsandbytes","load_in_4bit":true})",
    R"({"quant_method":"bitsandbytes","load_in_8bit":true})",
};

// Passes both files to something that accepts files.
template <class Taker, class Begin>
Status feed(Taker& taker, std::string_view config, Bytes model, size_t piece, Begin begin) {
  const Bytes files[] = {std::as_bytes(std::span(config)), model};
  for (const std::string_view name : {"config.json", "model.safetensors"}) {
    Bytes file = files[name == "config.json" ? 0 : 1];
    QUINTET_CHECK(begin(name, file.size()));
    while (!file.empty()) {
      const Bytes front = file.first(std::min(piece, file.size()));
      QUINTET_CHECK(taker.feed(std::vector<std::byte>(front.begin(), front.end())));
      file = file.subspan(front.size());
    }
    if (const auto ended = taker.end_file(); !ended) return fail(ended.error());
  }
  return {};
}

Result<std::unique_ptr<GeneratorModel>> load(std::string_view config, Bytes model, size_t piece) {
  GeneratorLoader loader({}, std::nullopt, kAvailable);
  QUINTET_CHECK(feed(loader, config, model, piece,
                     [&](std::string_view name, uint64_t size) { return loader.begin_file(name, size); }));
  return loader.finish();
}

Status convert(std::string_view config, Bytes model) {
  ConvertOptions options;
  options.to = Format::amb;
  Converter converter(std::move(options));
  QUINTET_CHECK(feed(converter, config, model, SIZE_MAX,
                     [&](std::string_view name, uint64_t size) { return converter.begin_file(name, size, false); }));
  QUINTET_CHECK(converter.plan());
  while (const auto range = converter.next_range()) {
    if (range->offset > model.size() || range->bytes > model.size() - range->offset) std::abort();
    QUINTET_CHECK(converter.feed(model.subspan(static_cast<size_t>(range->offset), static_cast<size_t>(range->bytes))));
    converter.take();
  }
  return converter.finish();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string config =
      std::string(kSizes) + std::string(kQuantizations[data[0] % std::size(kQuantizations)]) + "}";
  const Bytes model = std::as_bytes(std::span(data, size)).subspan(1);
  const auto whole = load(config, model, SIZE_MAX), pieces = load(config, model, 7);
  if (whole.has_value() != pieces.has_value()) std::abort();
  if (!whole && whole.error().detail.empty()) std::abort();
  const Status converted = convert(config, model);
  if (!converted && converted.error().detail.empty()) std::abort();
  return 0;
}
