#include "architectures/transformer/convolution_layers.h"

#include <algorithm>

#include "architectures/transformer/layer_sets.h"

namespace quintet {

Status read_convolution_layers(const ConfigFields& fields, TransformerConfig& config) {
  constexpr std::string_view kTypes = "layer_types", kAttention = "full_attn_idxs";
  if (fields.find(kTypes)) {
    return read_listed_layers(fields, kTypes, config.n_layers, R"("conv")", R"("full_attention")",
                              config.convolution_layers);
  }
  if (!fields.find(kAttention)) return fields.wrong(Reason::missing, kTypes, "is missing");
  LayerSet attention;
  QUINTET_CHECK(read_layer_numbers(fields, kAttention, config.n_layers, attention));
  const LayerSet others = other_layers(attention, config.n_layers);
  if (std::ranges::find(others, true) != others.end()) config.convolution_layers = others;
  return {};
}

Status read_convolution_layers_gguf(const ConfigFields& fields, TransformerConfig& config) {
  constexpr std::string_view kHeads = "attention.head_count_kv";
  QUINTET_TRY(const Json::Array* entries, fields.list(kHeads));
  if (!entries) return fields.wrong(Reason::missing, kHeads, "is missing");
  const auto attends = std::ranges::find_if(*entries, [](const Json& count) { return count.as_uint() != 0; });
  const auto heads = attends == entries->end() ? std::nullopt : attends->as_uint();
  if (!heads) return fields.wrong(Reason::mismatch, kHeads, "expected a number");
  config.n_kv_heads = *heads;
  return read_listed_layers(fields, kHeads, config.n_layers, "0", write_json(*attends), config.convolution_layers);
}

}  // namespace quintet
