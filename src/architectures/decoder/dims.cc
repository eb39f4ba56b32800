// The sizes in the shapes of tensors, and the traits that determine them.

#include <algorithm>
#include <array>
#include <iterator>

#include "architectures/decoder/tensor_names.h"

namespace quintet::decoder {
namespace {

using Config = DecoderConfig;

struct DimRow {
  Dim dim;
  uint64_t (*size)(const Config& config, size_t layer);
  std::array<SizeKey, 3> keys = {};
};

uint64_t queries(const Config& config, size_t layer) { return config.n_heads * config.head_dim_of(layer); }
uint64_t keys(const Config& config, size_t layer) { return config.kv_heads_of(layer) * config.head_dim_of(layer); }
uint64_t mamba_channels(const Config& config) {
  return config.mamba_inner + 2 * config.mamba_groups * config.mamba_state;
}
uint64_t delta_values(const Config& config) { return config.delta_value_heads * config.delta_value_dim; }

constexpr DimRow kDims[] = {
    {Dim::none, [](const Config&, size_t) -> uint64_t { return 0; }},
    {Dim::vocab, [](const Config& c, size_t) { return c.n_vocab; }, {&Config::n_vocab}},
    {Dim::hidden, [](const Config& c, size_t) { return c.n_embd; }, {&Config::n_embd}},
    {Dim::queries, queries, {&Config::n_heads, &Config::head_dim}},
    {Dim::keys, keys, {&Config::n_kv_heads, &Config::head_dim}},
    {Dim::qkv,
     [](const Config& c, size_t layer) { return queries(c, layer) + 2 * keys(c, layer); },
     {&Config::n_heads, &Config::n_kv_heads, &Config::head_dim}},
    {Dim::query_norm,
     [](const Config& c, size_t layer) {
       return c.qk_norm == QkNorm::per_row ? queries(c, layer) : c.head_dim_of(layer);
     },
     {&Config::n_heads, &Config::head_dim}},
    {Dim::key_norm,
     [](const Config& c, size_t layer) { return c.qk_norm == QkNorm::per_row ? keys(c, layer) : c.head_dim_of(layer); },
     {&Config::n_kv_heads, &Config::head_dim}},
    {Dim::ff, [](const Config& c, size_t layer) { return c.n_ff_of(layer); }, {&Config::n_ff}},
    {Dim::gate_and_up, [](const Config& c, size_t layer) { return 2 * c.n_ff_of(layer); }, {&Config::n_ff}},
    {Dim::experts, [](const Config& c, size_t) { return c.n_experts; }, {&Config::n_experts}},
    {Dim::expert_ff, [](const Config& c, size_t) { return c.expert_ff; }, {&Config::expert_ff}},
    {Dim::expert_gate_and_up, [](const Config& c, size_t) { return 2 * c.expert_ff; }, {&Config::expert_ff}},
    {Dim::shared_ff, [](const Config& c, size_t) { return c.shared_ff; }, {&Config::shared_ff}},
    {Dim::shared_gate_and_up, [](const Config& c, size_t) { return 2 * c.shared_ff; }, {&Config::shared_ff}},
    {Dim::one, [](const Config&, size_t) -> uint64_t { return 1; }},
    {Dim::positions, [](const Config& c, size_t) { return c.max_seq_len; }, {&Config::max_seq_len}},
    {Dim::gated_values, [](const Config& c, size_t) { return 3 * c.n_embd; }, {&Config::n_embd}},
    {Dim::kernel, [](const Config& c, size_t) { return c.convolution_length; }},
    {Dim::mamba_in,
     [](const Config& c, size_t) { return c.mamba_inner + mamba_channels(c) + c.mamba_heads; },
     {&Config::mamba_inner}},
    {Dim::mamba_channels, [](const Config& c, size_t) { return mamba_channels(c); }, {&Config::mamba_inner}},
    {Dim::mamba_kernel, [](const Config& c, size_t) { return c.mamba_kernel; }, {&Config::mamba_kernel}},
    {Dim::mamba_heads, [](const Config& c, size_t) { return c.mamba_heads; }, {&Config::mamba_heads}},
    {Dim::mamba_inner, [](const Config& c, size_t) { return c.mamba_inner; }, {&Config::mamba_inner}},
    {Dim::gated_queries,
     [](const Config& c, size_t layer) { return 2 * queries(c, layer); },
     {&Config::n_heads, &Config::head_dim}},
    {Dim::delta_channels,
     [](const Config& c, size_t) { return 2 * c.delta_key_heads * c.delta_key_dim + delta_values(c); }},
    {Dim::delta_kernel, [](const Config& c, size_t) { return c.delta_kernel; }},
    {Dim::delta_heads, [](const Config& c, size_t) { return c.delta_value_heads; }},
    {Dim::delta_values, [](const Config& c, size_t) { return delta_values(c); }},
    {Dim::delta_value, [](const Config& c, size_t) { return c.delta_value_dim; }},
    {Dim::rope_pairs, [](const Config& c, size_t) { return c.rope_dim / 2; }, {&Config::rope_dim}},
    {Dim::layer_vocab,
     [](const Config& c, size_t) { return c.layer_input_vocab == 0 ? c.n_vocab : c.layer_input_vocab; },
     {&Config::layer_input_vocab}},
    {Dim::streams, [](const Config&, size_t) -> uint64_t { return kAltUpStreams; }},
    {Dim::stream_pairs, [](const Config&, size_t) -> uint64_t { return kAltUpStreams * kAltUpStreams; }},
    {Dim::laurel_rank, [](const Config& c, size_t) { return c.laurel_rank; }, {&Config::laurel_rank}},
    {Dim::layer_input, [](const Config& c, size_t) { return c.layer_input_width; }, {&Config::layer_input_width}},
    {Dim::layer_inputs,
     [](const Config& c, size_t) { return c.n_layers * c.layer_input_width; },
     {&Config::n_layers, &Config::layer_input_width}},
};

const DimRow& row_of(Dim dim) {
  const auto* row = std::ranges::find(kDims, dim, &DimRow::dim);
  return row == std::end(kDims) ? kDims[0] : *row;
}

}  // namespace

uint64_t size_of(Dim dim, const DecoderConfig& config, uint64_t layer) {
  return row_of(dim).size(config, static_cast<size_t>(layer));
}

std::span<const SizeKey> keys_of(Dim dim) { return row_of(dim).keys; }

}  // namespace quintet::decoder
