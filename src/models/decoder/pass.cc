#include "models/decoder/pass.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "models/panel_partition.h"

namespace quintet::decoder {

// The model, from the bottom up. In the last layer, only the requested rows are computed.
Task<> Pass::run() {
  embed();
  angles.set(cache->length(), ids.size());
  if (has_local_rope()) local_angles.set(cache->length(), ids.size());
  for (size_t i = 0; i < weights.layers.size(); ++i) {
    co_await layer(i, i + 1 == weights.layers.size() ? first_wanted() : 0);
  }
  const size_t first = first_wanted();
  normalize(weights.final_norm, first);
  input.set(normed().from_row(first), 0, ids.size() - first);
  co_await project(product(output(), {logits_.data(), sizes.vocab}, 0));
  finish_logits();
}

// x += W_o attention(norm(x)), then x += mlp(norm(x)); in the parallel form of Phi-2 both read the same norm(x). If
// norms follow the branches, a branch reads x itself. Keys and values are computed for all tokens, the rest for the
// rows from `first` on.
Task<> Pass::layer(size_t index, size_t first) {
  const Layer& layer = weights.layers[index];
  set_input(layer[Part::input_norm], 0);
  if (layer.has(Part::convolution_input)) {
    co_await convolution(index, first);
  } else {
    co_await attention(index, first);
  }

  if (!config.block.is_parallel) {
    set_input(layer[Part::mlp_norm], first);
    if (config.has_experts(index)) co_return co_await experts(layer, first);
    co_await mlp(layer, first);
  }
  input.set(hidden(sizes.ff), first, ids.size());
  co_await add_branch(layer[Part::down], layer[Part::post_mlp_norm], first);
}

Task<> Pass::attention(size_t index, size_t first) {
  const Layer& layer = weights.layers[index];
  co_await queries_keys_values(layer, first);
  if (config.block.is_parallel) co_await mlp(layer, first);
  apply_rope_and_append_kv(index, first);
  co_await attend(index, first);
  input.set(context(), first, ids.size());
  co_await add_branch(layer[Part::attention_output], layer[Part::post_attention_norm], first);
}

// The gated short convolution of LFM2 (arXiv:2511.23404, section 2.2): W_out (C * conv(B * v)), where B, C and v are
// W_in norm(x). The convolution of a channel sees its own last positions.
Task<> Pass::convolution(size_t index, size_t first) {
  const Layer& layer = weights.layers[index];
  co_await project(product(layer[Part::convolution_input], input_gates(), 0));
  for_rows(0, ids.size(), [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const float* gates = input_gates().row(i);
      std::transform(gates, gates + sizes.embd, convolved().row(i),
                     cache->convolution_input(index, cache->length() + i), std::multiplies<>());
    }
  });
  for_rows(first, ids.size(), [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) convolve(index, i);
  });
  input.set(convolved(), first, ids.size());
  co_await add_branch(layer[Part::convolution_output], {}, first);
}

void Pass::convolve(size_t index, size_t i) {
  const size_t length = cache->shape().kernel;
  const float* kernels_of_channels = weights.layers[index][Part::convolution_kernel].vector.data();
  const float* gates = output_gates().row(i);
  float* out = convolved().row(i);
  std::fill_n(out, sizes.embd, 0.0F);
  const size_t position = cache->length() + i;
  // Before the first position there are zeros.
  const size_t missing = length - std::min(length, position + 1);
  for (size_t j = missing; j < length; ++j) {
    const float* in = cache->convolution_input(index, position + 1 + j - length);
    for (size_t c = 0; c < sizes.embd; ++c) out[c] += kernels_of_channels[c * length + j] * in[c];
  }
  std::transform(out, out + sizes.embd, gates, out, std::multiplies<>());
}

// The input of a branch: the normalized rows, or x without a norm.
void Pass::set_input(const Module& norm, size_t first) {
  if (norm.exists()) normalize(norm, first);
  input.set(norm.exists() ? normed() : x(), first, ids.size());
}

// x += scale * norm(W input), where norm and scale are optional.
Task<> Pass::add_branch(const Module& output, const Module& norm, size_t first) {
  if (!norm.exists() && config.residual_scale == 1) {
    co_await project(product(output, x(), first, Store::accumulate));
    co_return;
  }
  co_await project(product(output, normed(), first));
  for_rows(first, ids.size(), [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      float* branch = normed().row(i);
      if (norm.exists()) normalize_in_place(norm, branch, sizes.embd);
      const auto scale = static_cast<float>(config.residual_scale);
      std::transform(branch, branch + sizes.embd, x().row(i), x().row(i),
                     [scale](float value, float sum) { return sum + scale * value; });
    }
  });
}

Task<> Pass::queries_keys_values(const Layer& layer, size_t first) {
  if (layer.has(Part::qkv)) {
    co_await project(product(layer[Part::qkv], queries(), 0));
  } else {
    co_await project(product(layer[Part::key], keys(), 0), product(layer[Part::value], values(), 0),
                     product(layer[Part::query], queries(), first));
  }
}

// Head by head, some rows at a time.
Task<> Pass::attend(size_t index, size_t first) {
  const size_t at_once = attentions.front().tokens_at_once();
  const size_t of_a_head = (ids.size() - first + at_once - 1) / at_once;
  const size_t count = sizes.kv_heads * of_a_head;
  const uint64_t work_of_one = attentions.front().multiply_adds(cache->shape(), index, cache->length() + ids.size());
  for (size_t begin = 0; begin < count;) {
    const uint64_t share = std::max<uint64_t>(thread_count(), pace.left() / work_of_one);
    const Partition parts(static_cast<size_t>(std::min<uint64_t>(share, count - begin)), 1);
    parallel_for(parts.parts, [&](size_t part, size_t thread) {
      for (size_t i = begin + parts.begin(part); i < begin + parts.end(part); ++i) {
        attend_rows(index, i / of_a_head, first + i % of_a_head * at_once, attentions[thread]);
      }
    });
    co_await pace.spend(work_of_one * parts.count);
    begin += parts.count;
  }
}

void Pass::attend_rows(size_t index, size_t kv_head, size_t row, Attention& attention) {
  attention.attend(*cache, index, kv_head,
                   {.position = cache->length() + row,
                    .count = std::min(attention.tokens_at_once(), ids.size() - row),
                    .queries = queries().from_row(row),
                    .context = context().from_row(row)});
}

// The hidden part of the MLP: activation(W_gate x) * W_up x (Shazeer 2020, arXiv:2002.05202), or activation(W_up x).
Task<> Pass::hidden_part(MlpInput mlp, size_t first) {
  const Rows out = hidden(mlp.ff);
  if (!config.block.is_gated) {
    co_await project(product(*mlp.up, out, first));
  } else if (mlp.gate_up->exists()) {
    co_await project(product(*mlp.gate_up, out, first));
  } else {
    co_await project(product(*mlp.gate, out, first), product(*mlp.up, out.from_column(mlp.ff), first));
  }
  activate(config.block.is_gated, mlp.ff, first);
}

Task<> Pass::mlp(const Layer& layer, size_t first) {
  return hidden_part({&layer[Part::gate_up], &layer[Part::gate], &layer[Part::up], sizes.ff}, first);
}

// Multiplies the input with several matrices as with one; the first has the most rows to compute.
Task<> Pass::project(Product first, Product second, Product third) {
  // A step ends between two calls, so they must not be long. Much shorter ones would cost more than they compute.
  constexpr size_t kFewestPanels = 4;
  const std::array products = {first, second, third};
  const uint64_t of_a_panel = uint64_t{kPanelRows} * cols_of(*first.weight) * (input.end() - first.first);
  const size_t panels = input.prepare(products);
  for (size_t begin = 0; begin < panels;) {
    const uint64_t share = std::max<uint64_t>(kFewestPanels * thread_count(), pace.left() / of_a_panel);
    const size_t count = static_cast<size_t>(std::min<uint64_t>(share, panels - begin));
    const PanelPartition parts(count, of_a_panel);
    parallel_for(parts.parts(), [&](size_t part, size_t) {
      input.multiply(products, begin + parts.begin(part), begin + parts.end(part));
    });
    co_await pace.spend(of_a_panel * count);
    begin += count;
  }
}

void Pass::embed() {
  const auto scale = static_cast<float>(config.embedding_scale);
  for (size_t i = 0; i < ids.size(); ++i) {
    float* row = x().row(i);
    read_row(weights.embeddings.matrix, ids[i], row);
    if (scale != 1) std::transform(row, row + sizes.embd, row, [scale](float value) { return scale * value; });
  }
}

void Pass::normalize(const Module& norm, size_t first) {
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
}

// RMSNorm over as many values as the norm has weights: over each head with the same weights (Qwen3, arXiv:2505.09388,
// section 2), or over the whole row (OLMo 2, arXiv:2501.00656, section 2.1).
void Pass::normalize_in_place(const Module& norm, float* values, size_t count) const {
  const size_t width = norm.vector.size();
  kernels.rms_norm_rows({.x = {values, width},
                         .rows = count / width,
                         .cols = width,
                         .gamma = norm.vector.data(),
                         .epsilon = static_cast<float>(config.norm_eps),
                         .y = {values, width}});
}

void Pass::normalize_queries_and_keys(const Layer& layer, size_t i, bool with_queries) {
  if (with_queries) normalize_in_place(layer[Part::query_norm], queries().row(i), sizes.queries());
  normalize_in_place(layer[Part::key_norm], keys().row(i), sizes.keys());
}

const RopeAngles* Pass::rope_of(size_t layer) const {
  if (!config.is_rope || contains(config.no_rope_layers, layer)) return nullptr;
  return has_local_rope() && config.window_of(layer) != 0 ? &local_angles : &angles;
}

void Pass::apply_rope(const RopeAngles& rope, size_t i, bool with_queries) {
  const auto rotate = [&](float* x, size_t heads) {
    kernels.rotate_heads({.x = x,
                          .heads = heads,
                          .head_dim = sizes.head_dim,
                          .rope_dim = sizes.rope_dim,
                          .cosines = rope.cosines(i),
                          .sines = rope.sines(i)});
  };
  if (with_queries) {
    rotate(queries().row(i), sizes.heads);
  }
  rotate(keys().row(i), sizes.kv_heads);
}

void Pass::apply_rope_and_append_kv(size_t index, size_t first) {
  const Layer& layer = weights.layers[index];
  const RopeAngles* rope = rope_of(index);
  for_rows(0, ids.size(), [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const bool has_norms = config.qk_norm != QkNorm::none, rotates_first = config.block.rotates_before_norm;
      if (has_norms && !rotates_first) normalize_queries_and_keys(layer, i, i >= first);
      if (rope != nullptr) apply_rope(*rope, i, i >= first);
      if (has_norms && rotates_first) normalize_queries_and_keys(layer, i, i >= first);
      if (config.attention_temperature != 0 && i >= first) apply_temperature(i);
      if (!cache->write(index, cache->length() + i, keys().row(i), values().row(i))) is_held = false;
    }
  });
}

// Later queries are longer, so that attention stays sharp in long texts (transformers, modeling_ministral3.py).
void Pass::apply_temperature(size_t i) {
  const uint64_t lengths = (cache->length() + i) / config.attention_temperature_length;
  const auto scale = static_cast<float>(1 + config.attention_temperature * std::log1p(static_cast<double>(lengths)));
  float* row = queries().row(i);
  std::transform(row, row + sizes.queries(), row, [scale](float value) { return scale * value; });
}

// Logits are scaled and capped at the end, as far as the model does that.
void Pass::finish_logits() {
  const auto scale = static_cast<float>(1 / config.logit_scale);
  const auto cap = static_cast<float>(config.logit_softcap);
  if (scale == 1 && cap == 0) return;
  constexpr size_t kFewest = 4096;  // less than that is not worth another thread
  const Partition parts(logits_.size(), kFewest);
  parallel_for(parts.parts, [&](size_t part, size_t) {
    const std::span<float> some = logits_.span().subspan(parts.begin(part), parts.end(part) - parts.begin(part));
    for (float& logit : some) logit *= scale;
    if (cap != 0) kernels.soft_cap(some.data(), some.size(), cap);
  });
}

void Pass::activate(bool is_gated, size_t ff, size_t first) {
  for_rows(first, input.end(), [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      float* gate = hidden(ff).row(i);
      kernels.mlp_activation({.activation = config.activation,
                              .gate = gate,
                              .up = is_gated ? gate + ff : nullptr,
                              .count = ff,
                              .y = gate});
    }
  });
}

}  // namespace quintet::decoder
