// Attention in a pass of tokens (attention.h): projections, norms and rotation of the heads before it, gates after it.

#include <algorithm>
#include <cmath>
#include <span>

#include "models/decoder/pass.h"
#include "models/panel_partition.h"

namespace quintet::decoder {

AttentionLayer Pass::attention_layer(size_t index) {
  const Heads heads(config, index);
  const Rows queries = {qkv_.data(), heads.qkv()};
  const Rows keys = queries.from_column(heads.query_outputs());
  return {.modules = weights.layers[index],
          .heads = heads,
          .has_own_kv = config.has_own_kv(index),
          .rope = rope_of(index),
          .queries = queries,
          .gates = queries.from_column(heads.queries()),
          .keys = keys,
          .values = keys.from_column(heads.keys()),
          .contexts = {context_.data(), heads.queries()}};
}

// The heads' contexts, softmax(q k^T) v; keys and values go to the cache.
Task<Activations> Pass::attention(size_t index, Activations h, size_t first) {
  const AttentionLayer layer = attention_layer(index);
  const Product queries = product(layer.modules[TensorKind::query], layer.queries, first);
  if (!layer.has_own_kv) {
    co_await project(h, queries);
  } else if (layer.modules.has(TensorKind::qkv)) {
    co_await project(h, product(layer.modules[TensorKind::qkv], layer.queries, 0));
  } else if (!config.has_values(index)) {
    co_await project(h, product(layer.modules[TensorKind::key], layer.keys, 0), queries);
    for (size_t i = 0; i < ids.size(); ++i) std::copy_n(layer.keys.row(i), layer.heads.keys(), layer.values.row(i));
  } else {
    co_await project(h, product(layer.modules[TensorKind::key], layer.keys, 0),
                     product(layer.modules[TensorKind::value], layer.values, 0), queries);
  }
  rotate_and_store(layer, first);
  for (Segment& segment : segments) co_await attend(layer, segment, std::max(first, segment.begin));
  if (layer.heads.have_gates) gate_contexts(layer, first);
  co_return Activations{layer.contexts, first, ids.size()};
}

// Queries and keys are normalized and rotated, and keys and values go to the cache.
void Pass::rotate_and_store(const AttentionLayer& layer, size_t first) {
  const bool has_norms = config.qk_norm != QkNorm::none, rotates_first = config.block.rotates_before_norm;
  for_rows(layer.has_own_kv ? 0 : first, ids.size(), [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const bool with_queries = i >= first;
      if (layer.heads.have_gates && with_queries) split_queries_and_gates(layer, i);
      if (has_norms && !rotates_first) normalize_queries_and_keys(layer, i, with_queries);
      if (layer.rope != nullptr) apply_rope(layer, i, with_queries);
      if (has_norms && rotates_first) normalize_queries_and_keys(layer, i, with_queries);
      if (config.attention_temperature != 0 && with_queries) apply_temperature(layer, i);
      if (!layer.has_own_kv) continue;
      if (config.block.has_value_norm) normalize_values(layer, i);
      KvCache& cache = segment_of[i]->cache();
      if (!cache.write(layer.heads.layer, position(i), layer.keys.row(i), layer.values.row(i))) is_held[i] = false;
    }
  });
}

// The rows of a segment from `first` on, if it has any there: head by head, some rows at a time.
Task<> Pass::attend(const AttentionLayer& layer, Segment& segment, size_t first) {
  if (first >= segment.end) co_return;
  const size_t at_once = Attention::tokens_at_once(layer.heads);
  const size_t of_a_head = (segment.end - first + at_once - 1) / at_once;
  const size_t count = layer.heads.kv_count * of_a_head;
  const uint64_t work_of_one =
      Attention::multiply_adds(segment.cache().shape(), layer.heads, segment.position(segment.end));
  for (size_t begin = 0; begin < count;) {
    const uint64_t share = std::max<uint64_t>(thread_count(), pace.left() / work_of_one);
    const Partition parts(static_cast<size_t>(std::min<uint64_t>(share, count - begin)), 1);
    parallel_for(parts.parts, [&](size_t part, size_t thread) {
      for (size_t i = begin + parts.begin(part); i < begin + parts.end(part); ++i) {
        const size_t row = first + i % of_a_head * at_once;
        attentions[thread].attend(segment.cache(), layer.heads, i / of_a_head,
                                  {.position = segment.position(row),
                                   .count = std::min(at_once, segment.end - row),
                                   .queries = layer.queries.from_row(row),
                                   .context = layer.contexts.from_row(row)});
      }
    });
    co_await pace.spend(work_of_one * parts.count);
    begin += parts.count;
  }
}

void Pass::normalize_queries_and_keys(const AttentionLayer& layer, size_t i, bool with_queries) {
  if (with_queries) {
    normalize_in_place(layer.modules[TensorKind::query_norm], layer.queries.row(i), layer.heads.queries());
  }
  if (layer.has_own_kv) normalize_in_place(layer.modules[TensorKind::key_norm], layer.keys.row(i), layer.heads.keys());
}

// RMSNorm without weights, of each head (transformers, modeling_gemma4.py).
void Pass::normalize_values(const AttentionLayer& layer, size_t i) const {
  for (size_t head = 0; head < layer.heads.kv_count; ++head) {
    const std::span<float> row(layer.values.row(i) + head * layer.heads.dim, layer.heads.dim);
    float sum = 0;
    for (const float value : row) sum += value * value;
    const float mean = sum / static_cast<float>(row.size());
    const float scale = 1 / std::sqrt(mean + static_cast<float>(config.norm_eps));
    for (float& value : row) value *= scale;
  }
}

const RopeAngles* Pass::rope_of(size_t layer) const {
  if (!config.is_rope || contains(config.no_rope_layers, layer)) return nullptr;
  return config.has_local_rope(layer) ? &local_angles : &angles;
}

void Pass::apply_rope(const AttentionLayer& layer, size_t i, bool with_queries) {
  const auto rotate = [&](const Rows& rows, size_t heads) {
    transformer::rotate_row(kernels, layer.heads, *layer.rope, i, heads, rows.row(i));
  };
  if (with_queries) rotate(layer.queries, layer.heads.count);
  if (layer.has_own_kv) rotate(layer.keys, layer.heads.kv_count);
}

// Heads have a query and a gate one after another: all queries go before all gates.
void Pass::split_queries_and_gates(const AttentionLayer& layer, size_t i) {
  const size_t dim = layer.heads.dim;
  float* row = layer.queries.row(i);
  float* gates = layer.contexts.row(i);  // until attention fills it
  for (size_t head = 0; head < layer.heads.count; ++head) {
    const float* of_head = row + 2 * head * dim;
    std::copy_n(of_head + dim, dim, gates + head * dim);
    std::copy_n(of_head, dim, row + head * dim);
  }
  std::copy_n(gates, layer.heads.queries(), layer.gates.row(i));
}

// The results of the heads are weighted by sigmoids (Qiu et al. 2025, arXiv:2505.06708).
void Pass::gate_contexts(const AttentionLayer& layer, size_t first) {
  for_rows(first, ids.size(), [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      float* context = layer.contexts.row(i);
      std::transform(context, context + layer.heads.queries(), layer.gates.row(i), context,
                     [](float value, float gate) { return value / (1 + std::exp(-gate)); });
    }
  });
}

// Later queries are longer, so that attention stays sharp in long texts (transformers, modeling_ministral3.py).
void Pass::apply_temperature(const AttentionLayer& layer, size_t i) {
  const uint64_t lengths = position(i) / config.attention_temperature_length;
  const auto scale = static_cast<float>(1 + config.attention_temperature * std::log1p(static_cast<double>(lengths)));
  float* row = layer.queries.row(i);
  std::transform(row, row + layer.heads.queries(), row, [scale](float value) { return scale * value; });
}

}  // namespace quintet::decoder
