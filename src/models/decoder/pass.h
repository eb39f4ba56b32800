#pragma once
// A pass of tokens through a decoder: its buffers and the computation of the layers, as a task that pauses after each
// step. Its rows are the tokens of one sequence after those of another.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "architectures/decoder/config.h"
#include "base/aligned_buffer.h"
#include "base/task.h"
#include "kernels/kernels.h"
#include "models/decoder/adapter.h"
#include "models/decoder/altup.h"
#include "models/decoder/attention.h"
#include "models/decoder/decoder.h"
#include "models/decoder/delta_net.h"
#include "models/decoder/kv_cache.h"
#include "models/decoder/pass_sizes.h"
#include "models/decoder/projection.h"
#include "models/decoder/rope.h"
#include "models/decoder/segment.h"
#include "models/decoder/weights.h"
#include "models/pace.h"
#include "models/transformer/heads.h"
#include "models/transformer/mixture.h"
#include "models/transformer/rows.h"

namespace quintet::decoder {

// Attention in one layer: its inputs, and the places of queries, keys, values and contexts in a pass, row by row.
struct AttentionLayer {
  const Layer& modules;
  Heads heads;
  bool has_own_kv;
  const RopeAngles* rope;  // null: no rotation
  Rows queries, gates, keys, values, contexts;
};

// The matrices from the input of an MLP to its hidden part: gate and up as one matrix, or as two, or up alone.
struct MlpInput {
  const Module *gate_up, *gate, *up;
  size_t ff;                     // width of the hidden part
  const Xielu* xielu = nullptr;  // in place of the activation of the configuration
  bool is_sparse = false;        // gates below the cutoff are 0
};

struct Pass {
  Pass(const DecoderConfig& model, const Weights& model_weights, const Kernels& variant)
      : config(model),
        sizes(model),
        mamba_sizes(mamba_sizes_of(model)),
        delta_sizes(model),
        weights(model_weights),
        kernels(variant),
        angles(rope_angles(model, model_weights.rope_freq_factors())),
        local_angles(local_rope_angles(model, model_weights.rope_freq_factors())),
        projection(variant),
        has_finite_scales(model_weights.have_finite_scales()) {}

  Status check(const Sequence& sequence, size_t max_rows) const;
  void arrange();
  Status reserve();
  Status check_result(const Segment& segment) const;
  std::span<const float> logits_of(const Segment& segment) const;
  size_t bytes() const;

  Task<> run();
  Task<> layer(size_t index, size_t first);
  Task<> make_layer_inputs();
  Task<> add_layer_input(size_t index, size_t first);
  void scale_layer(const Module& scale, size_t first);
  // The streams of AltUp: made of embeddings, predicted before a layer, corrected after it, and made one in the end.
  Task<> project_streams(bool is_start);
  void update_streams(size_t index, size_t first, AltUp::Update update);
  Task<> add_laurel(size_t index, Activations h);
  void add_to_streams(size_t first);
  // The mixers return what their output matrix multiplies.
  Task<Activations> attention(size_t index, Activations h, size_t first);
  AttentionLayer attention_layer(size_t index);
  Task<> attend(const AttentionLayer& layer, Segment& segment, size_t first);
  void rotate_and_store(const AttentionLayer& layer, size_t first);
  void normalize_queries_and_keys(const AttentionLayer& layer, size_t i, bool with_queries);
  void normalize_values(const AttentionLayer& layer, size_t i) const;
  void apply_rope(const AttentionLayer& layer, size_t i, bool with_queries);
  void apply_temperature(const AttentionLayer& layer, size_t i);
  void split_queries_and_gates(const AttentionLayer& layer, size_t i);
  void gate_contexts(const AttentionLayer& layer, size_t first);
  Task<Activations> convolution(size_t index, Activations h, size_t first);
  void convolve(size_t index, TensorKind kernels_part, Rows rows, size_t channels);
  void apply_silu(Rows rows, size_t count);
  Task<Activations> mamba(size_t index, Activations h, size_t first);
  Task<> scan(size_t index, Segment& segment);
  Task<Activations> delta_net(size_t index, Activations h, size_t first);
  Task<> scan_delta_net(size_t index, Segment& segment);
  void gate_delta_row(const Module& norm, size_t i);
  Task<Activations> hidden_part(MlpInput mlp, Activations h);
  Task<Rows> experts(size_t index, Activations h);
  Task<> score_experts(const Layer& layer, Activations h);
  Task<> shared_expert(size_t index, Activations h);
  Task<> add(const Module& output, const Module& norm, Activations in, double scale = 1);
  void add_branch(Rows branch, const Module& norm, size_t first, double branch_scale = 1);
  Task<> project(Activations in, Product first, Product second = {}, Product third = {});
  bool has_adapters() const;
  Status reserve_adapters(size_t count);
  Task<> add_adapters(Activations in, Product product);
  Task<> add_adapter(const ScaledAdapter& used, Activations in, Product product);

  void set_angles();
  void embed();
  Activations normalized(const Module& norm, size_t first);
  void normalize_in_place(const Module& norm, float* values, size_t count) const;
  Activations gather_wanted(Activations rows);
  void finish_logits();
  void activate(const MlpInput& mlp, Activations hidden_rows);
  void choose_experts(const Layer& layer, Activations h);

  MlpInput dense_mlp(size_t index) const {
    const Layer& layer = weights.layers[index];
    return {&layer[TensorKind::gate_up],
            &layer[TensorKind::gate],
            &layer[TensorKind::up],
            static_cast<size_t>(config.n_ff_of(index)),
            config.has_xielu ? &weights.xielu[index] : nullptr,
            index < config.n_sparse_layers};
  }
  bool has_local_rope() const { return config.has_local_rope(); }
  // Null in a layer without RoPE.
  const RopeAngles* rope_of(size_t layer) const;
  size_t rows() const { return ids.size(); }
  size_t position(size_t row) const { return segment_of[row]->position(row); }
  // First row of the pass whose logits are needed, and the number of such rows.
  size_t first_wanted() const {
    const auto segment = std::ranges::find_if(segments, [](const Segment& one) { return one.wanted() != 0; });
    return segment == segments.end() ? rows() : segment->first_wanted();
  }
  size_t wanted_rows() const { return segments.back().first_logits + segments.back().wanted(); }
  // First row whose result a layer computes: later layers need the others for their keys and values.
  size_t first_of(size_t layer) const { return config.has_own_kv(layer + 1) ? 0 : first_wanted(); }

  Rows x() { return {x_.data(), sizes.embd}; }
  Rows normed() { return {normed_.data(), sizes.embd}; }
  Rows branch() { return {branch_.data(), sizes.embd}; }
  size_t gated_values() const { return decoder::gated_values(config); }
  Rows input_gates() { return {qkv_.data(), gated_values()}; }
  Rows output_gates() { return input_gates().from_column(sizes.embd); }
  Rows convolved_values() { return output_gates().from_column(sizes.embd); }
  // The embeddings that a layer adds. The row after those of the tokens is for one of the table.
  Rows layer_inputs(size_t layer) {
    const auto width = static_cast<size_t>(config.layer_input_width);
    return Rows{layer_inputs_.data(), weights.layers.size() * width}.from_column(layer * width);
  }
  Rows stream(size_t number) {
    return Rows{streams_.data(), kAltUpStreams * sizes.embd}.from_column(number * sizes.embd);
  }
  Rows mamba_input() { return {mamba_input_.data(), mamba_sizes.in()}; }
  Rows mamba_channels() { return mamba_input().from_column(mamba_sizes.inner); }
  Rows delta_channels() { return {delta_.data(), delta_sizes.in()}; }
  Rows delta_gates() { return delta_channels().from_column(delta_sizes.channels()); }
  DeltaSteps delta_steps() {
    const Rows strengths = delta_gates().from_column(delta_sizes.values());
    return {.strengths = strengths, .decays = strengths.from_column(delta_sizes.value_heads)};
  }
  Rows hidden(size_t ff) { return {hidden_.data(), 2 * ff}; }

  const DecoderConfig& config;
  const Sizes sizes;
  const Mamba2Sizes mamba_sizes;
  const DeltaNetSizes delta_sizes;
  const Weights& weights;
  const Kernels& kernels;

  // The current pass.
  std::vector<Segment> segments;
  std::vector<uint32_t> ids;         // of the rows
  std::vector<Segment*> segment_of;  // of the rows
  // Of the rows that are multiplied, where they were gathered from those of the pass: for an expert, or for logits.
  std::vector<const Segment*> gathered_from;
  std::vector<uint8_t> is_held;  // of the rows: whether the cache could store their keys and values
  std::optional<Task<>> task;
  Pace pace;

  size_t reserved_rows = 0;
  RopeAngles angles;
  RopeAngles local_angles;  // of layers with a window, if their frequencies differ
  Projection projection;
  Mixture mixture;
  std::vector<Attention> attentions;  // one per thread
  const bool has_finite_scales;
  AlignedBuffer<float> x_;             // [tokens][n_embd]: the residual stream
  AlignedBuffer<float> normed_;        // [tokens][n_embd]
  AlignedBuffer<float> branch_;        // [tokens][n_embd], if branches are separate
  AlignedBuffer<float> qkv_;           // [tokens][queries, gates, keys, values], or [tokens][gates, gates, values]
  AlignedBuffer<float> delta_;         // [tokens][queries, keys, values, gates, strengths, time steps] of a DeltaNet
  AlignedBuffer<float> context_;       // [tokens][n_heads * head_dim]
  AlignedBuffer<float> layer_inputs_;  // [tokens and one][layers][width], if there are any
  AlignedBuffer<float> streams_;       // [tokens][streams][n_embd] of AltUp
  AlignedBuffer<float> hidden_;        // [tokens][gate, up]
  AlignedBuffer<float> mamba_input_;   // [tokens][gate, channels, time steps]
  AlignedBuffer<float> logits_;        // [wanted tokens][n_vocab]
  AlignedBuffer<float> low_rank_;      // [tokens][rank] of an adapter
};

}  // namespace quintet::decoder
