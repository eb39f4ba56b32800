#include "models/decoder/pass.h"

#include <algorithm>
#include <array>
#include <functional>

#include "models/decoder/xielu.h"
#include "models/panel_partition.h"

namespace quintet::decoder {

// The model, from the bottom up. After the last keys and values, only the requested rows are computed.
Task<> Pass::run() {
  embed();
  set_angles();
  if (config.layer_input_width != 0) co_await make_layer_inputs();
  if (config.block.has_altup) co_await project_streams(true);
  for (size_t i = 0; i < weights.layers.size(); ++i) co_await layer(i, first_of(i));
  if (config.block.has_altup) co_await project_streams(false);
  const Activations wanted = gather_wanted(normalized(weights.shared[TensorKind::final_norm], first_wanted()));
  co_await project(wanted, product(weights.output(), {logits_.data(), sizes.vocab}, 0));
  finish_logits();
}

// x += mixer(norm(x)), then x += mlp(norm(x)); in the parallel form of Phi-2 both read the same norm(x), in that of
// GPT-NeoX (arXiv:2204.06745, section 2.1) each has a norm of the same x. If norms follow the branches, a branch reads
// x itself. A mixer needs all tokens, for its cache; the rest is computed for the rows from `first` on.
Task<> Pass::layer(size_t index, size_t first) {
  const Layer& layer = weights.layers[index];
  const Mixer mixer = config.mixer_of(index);
  const Mlp mlp = config.mlp_of(index);
  const bool has_early_router = mlp == Mlp::experts && config.block.routes_before_norm;
  if (has_early_router) co_await score_experts(layer, {x(), first, ids.size()});

  const size_t begin = mixer != Mixer::none && config.has_own_kv(index) ? 0 : first;
  if (config.block.has_altup) update_streams(index, begin, &AltUp::predict);
  Activations h = normalized(layer[TensorKind::input_norm], begin);
  if (mixer == Mixer::convolution) {
    co_await add(layer[TensorKind::convolution_output], {}, co_await convolution(index, h, first));
  } else if (mixer == Mixer::delta_net) {
    co_await add(layer[TensorKind::delta_output], {}, co_await delta_net(index, h, first));
  } else if (mixer == Mixer::mamba || mixer == Mixer::attention_and_mamba) {
    co_await add(layer[TensorKind::mamba_output], {}, co_await mamba(index, h, first), config.mamba_output_scale);
  }
  if (has_attention(mixer)) {
    const Activations contexts = co_await attention(index, h, first);
    if (config.has_parallel_residual) h = normalized(layer[TensorKind::mlp_norm], first);
    co_await add(layer[TensorKind::attention_output], layer[TensorKind::post_attention_norm], contexts,
                 config.attention_output_scale);
    if (config.block.has_altup) co_await add_laurel(index, h.from(first));
  }

  if (mlp == Mlp::none) co_return;
  const bool has_own_norm = !config.block.is_parallel && !config.block.has_one_branch && !config.has_parallel_residual;
  if (has_own_norm) h = normalized(layer[TensorKind::mlp_norm], first);
  if (mlp == Mlp::experts) {
    if (!has_early_router) co_await score_experts(layer, h.from(first));
    add_branch(co_await experts(index, h.from(first)), layer[TensorKind::post_mlp_norm], first);
  } else {
    co_await add(layer[TensorKind::down], layer[TensorKind::post_mlp_norm],
                 co_await hidden_part(dense_mlp(index), h.from(first)), config.mlp_output_scale);
  }
  if (config.block.has_altup) update_streams(index, first, &AltUp::correct);
  if (config.layer_input_width != 0) co_await add_layer_input(index, first);
  if (layer.has(TensorKind::layer_scale)) scale_layer(layer[TensorKind::layer_scale], first);
}

// x += scale * norm(W in), where norm and scale are optional.
Task<> Pass::add(const Module& output, const Module& norm, Activations in, double scale) {
  if (!has_separate_branches(config)) {
    co_await project(in, product(output, x(), in.begin, Store::accumulate));
    co_return;
  }
  co_await project(in, product(output, branch(), in.begin));
  add_branch(branch(), norm, in.begin, scale);
}

void Pass::add_branch(Rows branch, const Module& norm, size_t first, double branch_scale) {
  const auto scale = static_cast<float>(config.residual_scale * branch_scale);
  for_rows(first, ids.size(), [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      if (norm.exists()) normalize_in_place(norm, branch.row(i), sizes.embd);
      std::transform(branch.row(i), branch.row(i) + sizes.embd, x().row(i), x().row(i),
                     [scale](float value, float sum) { return sum + scale * value; });
    }
  });
}

// The hidden part of an MLP: activation(W_gate h) * W_up h (Shazeer 2020, arXiv:2002.05202), or activation(W_up h).
Task<Activations> Pass::hidden_part(MlpInput mlp, Activations h) {
  const Rows out = hidden(mlp.ff);
  if (!config.block.is_gated) {
    co_await project(h, product(*mlp.up, out, h.begin));
  } else if (mlp.gate_up->exists()) {
    co_await project(h, product(*mlp.gate_up, out, h.begin));
  } else {
    co_await project(h, product(*mlp.gate, out, h.begin), product(*mlp.up, out.from_column(mlp.ff), h.begin));
  }
  const Activations result = {out, h.begin, h.end};
  activate(mlp, result);
  co_return result;
}

// Multiplies activations with several matrices as with one; the first has the most rows to compute.
Task<> Pass::project(Activations in, Product first, Product second, Product third) {
  // A step ends between two calls, so they must not be long. Much shorter ones would cost more than they compute.
  constexpr size_t kMinPanels = 4;
  const std::array products = {first, second, third};
  const uint64_t of_a_panel = uint64_t{kPanelRows} * cols_of(*first.weight) * (in.end - first.first);
  if (of_a_panel == 0) co_return;  // no rows
  const size_t panels = projection.begin(in, products);
  for (size_t begin = 0; begin < panels;) {
    const uint64_t share = std::max<uint64_t>(kMinPanels * thread_count(), pace.left() / of_a_panel);
    const size_t count = static_cast<size_t>(std::min<uint64_t>(share, panels - begin));
    const PanelPartition parts(count, of_a_panel);
    parallel_for(parts.parts(), [&](size_t part, size_t) {
      projection.multiply(products, begin + parts.begin(part), begin + parts.end(part));
    });
    co_await pace.spend(of_a_panel * count);
    begin += count;
  }
  if (!has_adapters()) co_return;
  for (const Product& product : products) co_await add_adapters(in, product);
}

void Pass::set_angles() {
  angles.clear();
  local_angles.clear();
  for (const Segment& segment : segments) {
    angles.append(segment.first_position, segment.rows());
    if (has_local_rope()) local_angles.append(segment.first_position, segment.rows());
  }
}

void Pass::embed() {
  const auto scale = static_cast<float>(config.embedding_scale);
  const WeightMatrix& embeddings = weights.shared[TensorKind::embeddings].matrix;
  const std::span<const float> positions = weights.shared[TensorKind::position_embeddings].vector.span();
  for (size_t i = 0; i < ids.size(); ++i) {
    float* row = x().row(i);
    read_row(embeddings, ids[i], row);
    if (scale != 1) std::transform(row, row + sizes.embd, row, [scale](float value) { return scale * value; });
    if (!config.has_position_embeddings) continue;
    const float* embedding = positions.data() + position(i) * sizes.embd;
    std::transform(row, row + sizes.embd, embedding, row, std::plus<>());
  }
}

// norm(x) from the row `first` on, or x itself without a norm.
Activations Pass::normalized(const Module& norm, size_t first) {
  if (!norm.exists()) return {x(), first, ids.size()};
  NormRows* const kernel = norm.bias.size() == 0 ? kernels.rms_norm_rows : kernels.layer_norm_rows;
  for_rows(first, ids.size(), [&](size_t begin, size_t end) {
    kernel({.x = x().from_row(begin),
            .rows = end - begin,
            .cols = sizes.embd,
            .gamma = norm.vector.data(),
            .beta = norm.bias.data(),
            .epsilon = static_cast<float>(config.norm_eps),
            .y = normed().from_row(begin)});
  });
  return {normed(), first, ids.size()};
}

void Pass::normalize_in_place(const Module& norm, float* values, size_t count) const {
  transformer::normalize_row(kernels.rms_norm_rows, norm.vector.span(), nullptr, config.norm_eps, {values, count});
}

// The rows whose logits are wanted, one after another.
Activations Pass::gather_wanted(Activations from) {
  size_t count = 0;
  for (const Segment& segment : segments) {
    for (size_t i = segment.first_wanted(); i < segment.end; ++i) {
      std::copy_n(from.rows.row(i), sizes.embd, normed().row(count++));
      gathered_from.push_back(&segment);
    }
  }
  return {normed(), 0, count};
}

// Logits are scaled and capped at the end, as far as the model does that.
void Pass::finish_logits() {
  const auto scale = static_cast<float>(1 / config.logit_scale);
  const auto cap = static_cast<float>(config.logit_softcap);
  if (scale == 1 && cap == 0) return;
  constexpr size_t kMinCount = 4096;  // less than that is not worth another thread
  const Partition parts(logits_.size(), kMinCount);
  parallel_for(parts.parts, [&](size_t part, size_t) {
    const std::span<float> some = logits_.span().subspan(parts.begin(part), parts.end(part) - parts.begin(part));
    for (float& logit : some) logit *= scale;
    if (cap != 0) kernels.soft_cap(some.data(), some.size(), cap);
  });
}

// The gate of a row, or its only half, becomes the hidden part.
void Pass::activate(const MlpInput& mlp, Activations hidden_rows) {
  const size_t ff = mlp.ff;
  const auto scale = static_cast<float>(config.mlp_gate_scale);
  for_rows(hidden_rows.begin, hidden_rows.end, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      float* gate = hidden(ff).row(i);
      if (scale != 1) std::transform(gate, gate + ff, gate, [scale](float value) { return scale * value; });
      if (mlp.is_sparse) keep_largest({gate, ff}, config.sparse_cutoff);
      if (mlp.xielu != nullptr) {
        apply_xielu(*mlp.xielu, {gate, ff});
        continue;
      }
      transformer::gate_row(kernels, config.activation, {gate, ff}, config.block.is_gated ? gate + ff : nullptr);
    }
  });
}

}  // namespace quintet::decoder
