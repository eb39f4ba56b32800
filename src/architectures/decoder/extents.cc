// The sizes in the shapes of tensors, and the traits that determine them.

#include <array>
#include <iterator>

#include "architectures/decoder/layer_parts.h"

namespace quintet::decoder {
namespace {

using Config = DecoderConfig;

struct ExtentRow {
  Extent extent;
  uint64_t (*size)(const Config& config, size_t layer);
  std::array<SizeKey, 3> keys = {};
};

uint64_t queries(const Config& config, size_t layer) { return config.n_heads * config.head_dim_of(layer); }
uint64_t keys(const Config& config, size_t layer) { return config.kv_heads_of(layer) * config.head_dim_of(layer); }
uint64_t mamba_channels(const Config& config) {
  return config.mamba_inner + 2 * config.mamba_groups * config.mamba_state;
}
uint64_t delta_values(const Config& config) { return config.delta_value_heads * config.delta_value_dim; }

constexpr ExtentRow kExtents[] = {
    {Extent::none, [](const Config&, size_t) -> uint64_t { return 0; }},
    {Extent::vocab, [](const Config& c, size_t) { return c.n_vocab; }, {&Config::n_vocab}},
    {Extent::embd, [](const Config& c, size_t) { return c.n_embd; }, {&Config::n_embd}},
    {Extent::queries, queries, {&Config::n_heads, &Config::head_dim}},
    {Extent::keys, keys, {&Config::n_kv_heads, &Config::head_dim}},
    {Extent::qkv,
     [](const Config& c, size_t layer) { return queries(c, layer) + 2 * keys(c, layer); },
     {&Config::n_heads, &Config::n_kv_heads, &Config::head_dim}},
    {Extent::query_norm,
     [](const Config& c, size_t layer) {
       return c.qk_norm == QkNorm::per_row ? queries(c, layer) : c.head_dim_of(layer);
     },
     {&Config::n_heads, &Config::head_dim}},
    {Extent::key_norm,
     [](const Config& c, size_t layer) { return c.qk_norm == QkNorm::per_row ? keys(c, layer) : c.head_dim_of(layer); },
     {&Config::n_kv_heads, &Config::head_dim}},
    {Extent::ff, [](const Config& c, size_t layer) { return c.n_ff_of(layer); }, {&Config::n_ff}},
    {Extent::gate_and_up, [](const Config& c, size_t layer) { return 2 * c.n_ff_of(layer); }, {&Config::n_ff}},
    {Extent::experts, [](const Config& c, size_t) { return c.n_experts; }, {&Config::n_experts}},
    {Extent::expert_ff, [](const Config& c, size_t) { return c.expert_ff; }, {&Config::expert_ff}},
    {Extent::expert_gate_and_up, [](const Config& c, size_t) { return 2 * c.expert_ff; }, {&Config::expert_ff}},
    {Extent::shared_ff, [](const Config& c, size_t) { return c.shared_ff; }, {&Config::shared_ff}},
    {Extent::shared_gate_and_up, [](const Config& c, size_t) { return 2 * c.shared_ff; }, {&Config::shared_ff}},
    {Extent::one, [](const Config&, size_t) -> uint64_t { return 1; }},
    {Extent::positions, [](const Config& c, size_t) { return c.max_seq_len; }, {&Config::max_seq_len}},
    {Extent::gated_values, [](const Config& c, size_t) { return 3 * c.n_embd; }, {&Config::n_embd}},
    {Extent::kernel, [](const Config& c, size_t) { return c.convolution_length; }},
    {Extent::mamba_in,
     [](const Config& c, size_t) { return c.mamba_inner + mamba_channels(c) + c.mamba_heads; },
     {&Config::mamba_inner}},
    {Extent::mamba_channels, [](const Config& c, size_t) { return mamba_channels(c); }, {&Config::mamba_inner}},
    {Extent::mamba_kernel, [](const Config& c, size_t) { return c.mamba_kernel; }, {&Config::mamba_kernel}},
    {Extent::mamba_heads, [](const Config& c, size_t) { return c.mamba_heads; }, {&Config::mamba_heads}},
    {Extent::mamba_inner, [](const Config& c, size_t) { return c.mamba_inner; }, {&Config::mamba_inner}},
    {Extent::gated_queries,
     [](const Config& c, size_t layer) { return 2 * queries(c, layer); },
     {&Config::n_heads, &Config::head_dim}},
    {Extent::delta_channels,
     [](const Config& c, size_t) { return 2 * c.delta_key_heads * c.delta_key_dim + delta_values(c); }},
    {Extent::delta_kernel, [](const Config& c, size_t) { return c.delta_kernel; }},
    {Extent::delta_heads, [](const Config& c, size_t) { return c.delta_value_heads; }},
    {Extent::delta_values, [](const Config& c, size_t) { return delta_values(c); }},
    {Extent::delta_value, [](const Config& c, size_t) { return c.delta_value_dim; }},
    {Extent::rope_pairs, [](const Config& c, size_t) { return c.rope_dim / 2; }, {&Config::rope_dim}},
    {Extent::layer_input, [](const Config& c, size_t) { return c.layer_input_width; }, {&Config::layer_input_width}},
    {Extent::layer_inputs,
     [](const Config& c, size_t) { return c.n_layers * c.layer_input_width; },
     {&Config::n_layers, &Config::layer_input_width}},
};

constexpr bool are_in_order() {
  for (size_t i = 0; i < std::size(kExtents); ++i) {
    if (kExtents[i].extent != static_cast<Extent>(i)) return false;
  }
  return std::size(kExtents) == static_cast<size_t>(Extent::layer_inputs) + 1;
}
static_assert(are_in_order());

const ExtentRow& row_of(Extent extent) { return kExtents[static_cast<size_t>(extent)]; }

}  // namespace

uint64_t size_of(Extent extent, const DecoderConfig& config, uint64_t layer) {
  return row_of(extent).size(config, static_cast<size_t>(layer));
}

std::span<const SizeKey> keys_of(Extent extent) { return row_of(extent).keys; }

}  // namespace quintet::decoder
