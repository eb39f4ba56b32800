#include "tests/golden/plain_forward.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace quintet::test {
namespace {

using Vector = std::vector<double>;
using Rows = std::vector<Vector>;

class Forward {
 public:
  explicit Forward(const PlainDecoder& model) : model_(model), config_(model.config) {}

  Rows logits(const std::vector<uint32_t>& ids) const {
    Rows x;
    const std::vector<float>& table = tensor("model.embed_tokens.weight");
    for (const uint32_t id : ids) {
      x.emplace_back(table.begin() + static_cast<ptrdiff_t>(id * config_.n_embd),
                     table.begin() + static_cast<ptrdiff_t>((id + 1) * config_.n_embd));
    }
    for (uint64_t i = 0; i < config_.n_layers; ++i) block("model.layers." + std::to_string(i) + ".", x);
    const std::string norm = model_.has("model.norm.weight") ? "model.norm" : "model.final_layernorm";
    const std::string head = model_.has("lm_head.weight") ? "lm_head" : "model.embed_tokens";
    Rows out;
    for (const Vector& row : x) out.push_back(linear(head, normalized(norm, row)));
    return out;
  }

 private:
  const std::vector<float>& tensor(const std::string& name) const { return model_.tensors.at(name); }

  void block(const std::string& prefix, Rows& x) const {
    Rows normed;
    for (const Vector& row : x) normed.push_back(normalized(prefix + "input_layernorm", row));
    const Rows attended = attention(prefix + "self_attn.", normed);
    const bool is_parallel = model_.has(prefix + "mlp.fc1.weight");
    for (size_t t = 0; t < x.size(); ++t) {
      const Vector hidden = is_parallel ? normed[t] : Vector();
      add(attended[t], x[t]);
      add(mlp(prefix + "mlp.", is_parallel ? hidden : normalized(prefix + "post_attention_layernorm", x[t])), x[t]);
    }
  }

  static void add(const Vector& more, Vector& x) {
    for (size_t i = 0; i < x.size(); ++i) x[i] += more[i];
  }

  Vector linear(const std::string& module, const Vector& x) const {
    const std::vector<float>& weight = tensor(module + ".weight");
    Vector y(weight.size() / x.size());
    for (size_t i = 0; i < y.size(); ++i) {
      y[i] = model_.has(module + ".bias") ? tensor(module + ".bias")[i] : 0;
      for (size_t j = 0; j < x.size(); ++j) y[i] += static_cast<double>(weight[i * x.size() + j]) * x[j];
    }
    return y;
  }

  Vector normalized(const std::string& module, Vector x) const {
    const double size = static_cast<double>(x.size());
    const bool is_layer_norm = model_.has(module + ".bias");
    const double mean = is_layer_norm ? std::accumulate(x.begin(), x.end(), 0.0) / size : 0;
    double square = 0;
    for (const double value : x) square += (value - mean) * (value - mean);
    const double scale = 1 / std::sqrt(square / size + config_.norm_eps);
    for (size_t i = 0; i < x.size(); ++i) {
      x[i] = (x[i] - mean) * scale * tensor(module + ".weight")[i];
      if (is_layer_norm) x[i] += tensor(module + ".bias")[i];
    }
    return x;
  }

  void normalize_heads(const std::string& module, Vector& x) const {
    for (size_t begin = 0; begin < x.size(); begin += config_.head_dim) {
      std::ranges::copy(normalized(module, part(x, begin, config_.head_dim)),
                        x.begin() + static_cast<ptrdiff_t>(begin));
    }
  }

  static Vector part(const Vector& x, size_t begin, size_t count) {
    return {x.begin() + static_cast<ptrdiff_t>(begin), x.begin() + static_cast<ptrdiff_t>(begin + count)};
  }

  Vector rotated(Vector head, size_t position) const {
    if (!config_.is_rope) return head;
    const size_t half = config_.rope_dim / 2;
    for (size_t i = 0; i < half; ++i) {
      const double exponent = 2.0 * static_cast<double>(i) / static_cast<double>(config_.rope_dim);
      double angle = static_cast<double>(position) / config_.rope_scaling / std::pow(config_.rope_freq_base, exponent);
      if (model_.has("rope_freqs.weight")) angle /= tensor("rope_freqs.weight")[i];
      const double a = head[i], b = head[i + half];
      head[i] = a * std::cos(angle) - b * std::sin(angle);
      head[i + half] = b * std::cos(angle) + a * std::sin(angle);
    }
    return head;
  }

  Rows attention(const std::string& prefix, const Rows& x) const {
    const size_t heads = config_.n_heads, kv_heads = config_.n_kv_heads, dim = config_.head_dim;
    Rows queries, keys, values;
    for (const Vector& row : x) {
      if (model_.has(prefix + "qkv_proj.weight")) {
        const Vector qkv = linear(prefix + "qkv_proj", row);
        queries.push_back(part(qkv, 0, heads * dim));
        keys.push_back(part(qkv, heads * dim, kv_heads * dim));
        values.push_back(part(qkv, (heads + kv_heads) * dim, kv_heads * dim));
      } else {
        queries.push_back(linear(prefix + "q_proj", row));
        keys.push_back(linear(prefix + "k_proj", row));
        values.push_back(linear(prefix + "v_proj", row));
      }
      if (config_.qk_norm == QkNorm::per_head) {
        normalize_heads(prefix + "q_norm", queries.back());
        normalize_heads(prefix + "k_norm", keys.back());
      }
    }
    Rows out;
    for (size_t t = 0; t < x.size(); ++t) {
      Vector context;
      for (size_t head = 0; head < heads; ++head) {
        const Vector mixed = attend(part(queries[t], head * dim, dim), t, keys, values, head / (heads / kv_heads));
        context.insert(context.end(), mixed.begin(), mixed.end());
      }
      out.push_back(linear(prefix + (model_.has(prefix + "dense.weight") ? "dense" : "o_proj"), context));
    }
    return out;
  }

  Vector attend(const Vector& query, size_t position, const Rows& keys, const Rows& values, size_t kv_head) const {
    const size_t dim = config_.head_dim;
    const Vector turned = rotated(query, position);
    Vector weights(position + 1);
    for (size_t s = 0; s <= position; ++s) {
      const bool is_seen = config_.sliding_window == 0 || position - s < config_.sliding_window;
      const Vector key = rotated(part(keys[s], kv_head * dim, dim), s);
      const double score = std::inner_product(turned.begin(), turned.end(), key.begin(), 0.0);
      weights[s] = is_seen ? std::exp(score / std::sqrt(static_cast<double>(dim))) : 0;
    }
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    Vector out(dim);
    for (size_t s = 0; s <= position; ++s) {
      for (size_t i = 0; i < dim; ++i) out[i] += weights[s] / sum * values[s][kv_head * dim + i];
    }
    return out;
  }

  double activated(double x) const {
    const double cubic = std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x);
    switch (config_.activation) {
      case Activation::none:
        return x;
      case Activation::silu:
        return x / (1 + std::exp(-x));
      case Activation::gelu_erf:
        return x / 2 * (1 + std::erf(x / std::numbers::sqrt2));
      case Activation::gelu_tanh:
        return x / 2 * (1 + std::tanh(cubic));
      case Activation::relu:
        return std::max(x, 0.0);
      case Activation::relu_squared:
        return std::max(x, 0.0) * std::max(x, 0.0);
      default:  // not one of transformers
        ADD_FAILURE();
    }
    return x;
  }

  Vector mlp(const std::string& prefix, const Vector& x) const {
    Vector gate, up;
    if (model_.has(prefix + "fc1.weight")) {
      gate = linear(prefix + "fc1", x);
    } else if (model_.has(prefix + "gate_up_proj.weight")) {
      const Vector both = linear(prefix + "gate_up_proj", x);
      gate = part(both, 0, both.size() / 2);
      up = part(both, both.size() / 2, both.size() / 2);
    } else {
      gate = linear(prefix + "gate_proj", x);
      up = linear(prefix + "up_proj", x);
    }
    for (size_t i = 0; i < gate.size(); ++i) gate[i] = activated(gate[i]) * (up.empty() ? 1 : up[i]);
    return linear(prefix + (up.empty() ? "fc2" : "down_proj"), gate);
  }

  const PlainDecoder& model_;
  const DecoderConfig& config_;
};

}  // namespace

std::vector<std::vector<double>> plain_logits(const PlainDecoder& model, const std::vector<uint32_t>& ids) {
  return Forward(model).logits(ids);
}

}  // namespace quintet::test
