#include "tests/golden/encoder_reference.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace quintet::test {
namespace {

double gelu(double x) { return x / 2 * (1 + std::erf(x / std::sqrt(2.0))); }
double gelu_tanh(double x) {
  return x / 2 * (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x)));
}
double silu(double x) { return x / (1 + std::exp(-x)); }

class Network {
 public:
  Network(const NamedTensors& tensors, const ReferenceSizes& sizes) : tensors_(tensors), sizes_(sizes) {}

  // Adds row `row(i)` of a table to row i.
  void add_rows(const std::string& table, const std::function<size_t(size_t)>& row, Rows& x) const {
    const NamedTensor& tensor = tensors_.at(table);
    for (size_t i = 0; i < x.size(); ++i) {
      for (size_t c = 0; c < sizes_.hidden; ++c) x[i][c] += tensor.values[row(i) * sizes_.hidden + c];
    }
  }

  Rows linear(const Rows& x, const std::string& name) const {
    const NamedTensor& weight = tensors_.at(name + ".weight");
    const auto bias = tensors_.find(name + ".bias");
    const size_t out = weight.shape[0], in = weight.shape[1];
    Rows y(x.size(), std::vector<double>(out));
    for (size_t i = 0; i < x.size(); ++i) {
      for (size_t o = 0; o < out; ++o) {
        double sum = bias == tensors_.end() ? 0 : bias->second.values[o];
        for (size_t c = 0; c < in; ++c) sum += x[i][c] * weight.values[o * in + c];
        y[i][o] = sum;
      }
    }
    return y;
  }

  Rows norm(Rows x, const std::string& name) const {
    const NamedTensor& gamma = tensors_.at(name + ".weight");
    const auto beta = tensors_.find(name + ".bias");
    for (std::vector<double>& row : x) {
      double mean = 0, variance = 0;
      for (const double value : row) mean += value / static_cast<double>(row.size());
      for (const double value : row) variance += (value - mean) * (value - mean) / static_cast<double>(row.size());
      for (size_t c = 0; c < row.size(); ++c) {
        row[c] = (row[c] - mean) / std::sqrt(variance + sizes_.epsilon) * gamma.values[c];
        if (beta != tensors_.end()) row[c] += beta->second.values[c];
      }
    }
    return x;
  }

  // RMSNorm of every `width` columns. `offset` is added to the weights.
  Rows rms_norm(Rows x, const std::string& name, size_t width, double offset = 0) const {
    const NamedTensor& gamma = tensors_.at(name + ".weight");
    for (std::vector<double>& row : x) {
      for (size_t at = 0; at < row.size(); at += width) {
        double squares = 0;
        for (size_t c = at; c < at + width; ++c) squares += row[c] * row[c] / static_cast<double>(width);
        const double rms = std::sqrt(squares + sizes_.epsilon);
        for (size_t c = 0; c < width; ++c) row[at + c] = row[at + c] / rms * (offset + gamma.values[c]);
      }
    }
    return x;
  }

  // Pairs element c of a head with c + half, as GPT-NeoX does. `frequency(i)` in radians per position.
  Rows rotate(Rows x, const std::function<double(size_t)>& frequency) const {
    const size_t dim = sizes_.head_dim();
    for (size_t i = 0; i < x.size(); ++i) {
      for (size_t at = 0; at < x[i].size(); at += dim) {
        for (size_t c = 0; c < dim / 2; ++c) {
          const double angle = static_cast<double>(i) * frequency(c);
          const double a = x[i][at + c], b = x[i][at + c + dim / 2];
          x[i][at + c] = a * std::cos(angle) - b * std::sin(angle);
          x[i][at + c + dim / 2] = b * std::cos(angle) + a * std::sin(angle);
        }
      }
    }
    return x;
  }

  using Bias = std::function<double(size_t head, size_t query, size_t key)>;  // -infinity: not seen
  // Scores are divided by sqrt(scalar); 0: by that of a head's width.
  Rows attend(const Rows& q, const Rows& k, const Rows& v, const Bias& bias, double scalar = 0) const {
    const size_t dim = sizes_.head_dim();
    if (scalar == 0) scalar = static_cast<double>(dim);
    const size_t sharing = sizes_.key_heads == 0 ? 1 : sizes_.heads / sizes_.key_heads;
    Rows context(q.size(), std::vector<double>(sizes_.heads * dim));
    for (size_t head = 0; head < sizes_.heads; ++head) {
      const size_t first = head * dim, key_first = head / sharing * dim;
      for (size_t i = 0; i < q.size(); ++i) {
        std::vector<double> weights(q.size());
        double sum = 0;
        for (size_t j = 0; j < q.size(); ++j) {
          double score = 0;
          for (size_t c = 0; c < dim; ++c) score += q[i][first + c] * k[j][key_first + c];
          weights[j] = std::exp(score / std::sqrt(scalar) + bias(head, i, j));
          sum += weights[j];
        }
        for (size_t j = 0; j < q.size(); ++j) {
          for (size_t c = 0; c < dim; ++c) context[i][first + c] += weights[j] / sum * v[j][key_first + c];
        }
      }
    }
    return context;
  }

  Rows zeros(size_t rows) const { return Rows(rows, std::vector<double>(sizes_.hidden)); }

 private:
  const NamedTensors& tensors_;
  const ReferenceSizes& sizes_;
};

constexpr auto kNoBias = [](size_t, size_t, size_t) { return 0.0; };

Rows plus(Rows a, const Rows& b) {
  for (size_t i = 0; i < a.size(); ++i) {
    for (size_t c = 0; c < a[i].size(); ++c) a[i][c] += b[i][c];
  }
  return a;
}

Rows each(Rows x, double (*function)(double)) {
  for (std::vector<double>& row : x) {
    for (double& value : row) value = function(value);
  }
  return x;
}

Rows times(Rows a, const Rows& b) {
  for (size_t i = 0; i < a.size(); ++i) {
    for (size_t c = 0; c < a[i].size(); ++c) a[i][c] *= b[i][c];
  }
  return a;
}

// Part `part` of `parts` equal ones of every row.
Rows split(const Rows& x, size_t part, size_t parts) {
  Rows out;
  for (const std::vector<double>& row : x) {
    const size_t width = row.size() / parts;
    out.emplace_back(row.begin() + static_cast<ptrdiff_t>(part * width),
                     row.begin() + static_cast<ptrdiff_t>((part + 1) * width));
  }
  return out;
}

std::function<double(size_t)> frequencies(double base, const ReferenceSizes& sizes) {
  const auto dim = static_cast<double>(sizes.head_dim());
  return [base, dim](size_t i) { return std::pow(base, -2.0 * static_cast<double>(i) / dim); };
}

double distance(size_t i, size_t j) { return std::abs(static_cast<double>(i) - static_cast<double>(j)); }

}  // namespace

Rows bert_reference(const NamedTensors& tensors, const ReferenceSizes& sizes, const std::vector<uint32_t>& ids,
                    const std::vector<uint8_t>& types, size_t first_position) {
  const Network net(tensors, sizes);
  Rows x = net.zeros(ids.size());
  net.add_rows("embeddings.word_embeddings.weight", [&](size_t i) { return ids[i]; }, x);
  net.add_rows("embeddings.position_embeddings.weight", [&](size_t i) { return i + first_position; }, x);
  net.add_rows("embeddings.token_type_embeddings.weight", [&](size_t i) { return types.empty() ? 0 : types[i]; }, x);
  x = net.norm(x, "embeddings.LayerNorm");
  for (size_t l = 0; l < sizes.layers; ++l) {
    const std::string at = "encoder.layer." + std::to_string(l) + ".";
    const std::string self = at + "attention.self.";
    const Rows context =
        net.attend(net.linear(x, self + "query"), net.linear(x, self + "key"), net.linear(x, self + "value"), kNoBias);
    x = net.norm(plus(x, net.linear(context, at + "attention.output.dense")), at + "attention.output.LayerNorm");
    const Rows wide = each(net.linear(x, at + "intermediate.dense"), gelu);
    x = net.norm(plus(x, net.linear(wide, at + "output.dense")), at + "output.LayerNorm");
  }
  return x;
}

Rows distilbert_reference(const NamedTensors& tensors, const ReferenceSizes& sizes, const std::vector<uint32_t>& ids) {
  const Network net(tensors, sizes);
  Rows x = net.zeros(ids.size());
  net.add_rows("embeddings.word_embeddings.weight", [&](size_t i) { return ids[i]; }, x);
  net.add_rows("embeddings.position_embeddings.weight", [](size_t i) { return i; }, x);
  x = net.norm(x, "embeddings.LayerNorm");
  for (size_t l = 0; l < sizes.layers; ++l) {
    const std::string at = "transformer.layer." + std::to_string(l) + ".";
    const Rows context = net.attend(net.linear(x, at + "attention.q_lin"), net.linear(x, at + "attention.k_lin"),
                                    net.linear(x, at + "attention.v_lin"), kNoBias);
    x = net.norm(plus(x, net.linear(context, at + "attention.out_lin")), at + "sa_layer_norm");
    const Rows wide = each(net.linear(x, at + "ffn.lin1"), gelu);
    x = net.norm(plus(x, net.linear(wide, at + "ffn.lin2")), at + "output_layer_norm");
  }
  return x;
}

Rows mpnet_reference(const NamedTensors& tensors, const ReferenceSizes& sizes, const std::vector<uint32_t>& ids) {
  const Network net(tensors, sizes);
  const NamedTensor& learned = tensors.at("encoder.relative_attention_bias.weight");  // [32, heads]
  // transformers, modeling_mpnet.py, relative_position_bucket().
  const auto bias = [&](size_t head, size_t i, size_t j) {
    const double far = distance(i, j);
    double bucket = far;
    if (far >= 8) {
      // A hair above, because the logarithm of a power of two is not exact.
      bucket = std::min(15.0, 8 + std::floor(std::log(far / 8) / std::log(128.0 / 8) * 8 + 1e-9));
    }
    if (j > i) bucket += 16;
    return static_cast<double>(learned.values[static_cast<size_t>(bucket) * sizes.heads + head]);
  };
  Rows x = net.zeros(ids.size());
  net.add_rows("embeddings.word_embeddings.weight", [&](size_t i) { return ids[i]; }, x);
  net.add_rows("embeddings.position_embeddings.weight", [](size_t i) { return i + 2; }, x);
  x = net.norm(x, "embeddings.LayerNorm");
  for (size_t l = 0; l < sizes.layers; ++l) {
    const std::string at = "encoder.layer." + std::to_string(l) + ".";
    const std::string attn = at + "attention.attn.";
    const Rows context =
        net.attend(net.linear(x, attn + "q"), net.linear(x, attn + "k"), net.linear(x, attn + "v"), bias);
    x = net.norm(plus(x, net.linear(context, attn + "o")), at + "attention.LayerNorm");
    const Rows wide = each(net.linear(x, at + "intermediate.dense"), gelu);
    x = net.norm(plus(x, net.linear(wide, at + "output.dense")), at + "output.LayerNorm");
  }
  return x;
}

Rows nomic_reference(const NamedTensors& tensors, const ReferenceSizes& sizes, const std::vector<uint32_t>& ids,
                     double base) {
  const Network net(tensors, sizes);
  Rows x = net.zeros(ids.size());
  net.add_rows("embeddings.word_embeddings.weight", [&](size_t i) { return ids[i]; }, x);
  net.add_rows("embeddings.token_type_embeddings.weight", [](size_t) { return 0; }, x);
  x = net.norm(x, "emb_ln");
  for (size_t l = 0; l < sizes.layers; ++l) {
    const std::string at = "encoder.layers." + std::to_string(l) + ".";
    const Rows qkv = net.linear(x, at + "attn.Wqkv");
    const Rows q = net.rotate(split(qkv, 0, 3), frequencies(base, sizes));
    const Rows k = net.rotate(split(qkv, 1, 3), frequencies(base, sizes));
    const Rows context = net.attend(q, k, split(qkv, 2, 3), kNoBias);
    x = net.norm(plus(x, net.linear(context, at + "attn.out_proj")), at + "norm1");
    const Rows gated = times(net.linear(x, at + "mlp.fc11"), each(net.linear(x, at + "mlp.fc12"), silu));
    x = net.norm(plus(x, net.linear(gated, at + "mlp.fc2")), at + "norm2");
  }
  return x;
}

Rows modernbert_reference(const NamedTensors& tensors, const ReferenceSizes& sizes, const std::vector<uint32_t>& ids,
                          size_t local_attention, size_t interval) {
  const Network net(tensors, sizes);
  const auto window = [=](size_t, size_t i, size_t j) {
    return distance(i, j) <= static_cast<double>(local_attention / 2) ? 0.0 : -INFINITY;
  };
  Rows x = net.zeros(ids.size());
  net.add_rows("embeddings.tok_embeddings.weight", [&](size_t i) { return ids[i]; }, x);
  x = net.norm(x, "embeddings.norm");
  for (size_t l = 0; l < sizes.layers; ++l) {
    const std::string at = "layers." + std::to_string(l) + ".";
    const bool is_full = l % interval == 0;
    const auto frequency = frequencies(is_full ? 160000 : 10000, sizes);
    const Rows qkv = net.linear(l == 0 ? x : net.norm(x, at + "attn_norm"), at + "attn.Wqkv");
    const Rows q = net.rotate(split(qkv, 0, 3), frequency), k = net.rotate(split(qkv, 1, 3), frequency);
    const Rows v = split(qkv, 2, 3);
    x = plus(x, net.linear(is_full ? net.attend(q, k, v, kNoBias) : net.attend(q, k, v, window), at + "attn.Wo"));
    const Rows both = net.linear(net.norm(x, at + "mlp_norm"), at + "mlp.Wi");
    x = plus(x, net.linear(times(each(split(both, 0, 2), gelu), split(both, 1, 2)), at + "mlp.Wo"));
  }
  return net.norm(x, "final_norm");
}

Rows jina_reference(const NamedTensors& tensors, const ReferenceSizes& sizes, const std::vector<uint32_t>& ids,
                    bool of_code) {
  const Network net(tensors, sizes);
  // For 4 heads: 2^-2, 2^-4, 2^-6, 2^-8; the fifth and sixth get the first and third of eight, 2^-1 and 2^-3.
  const double slopes[] = {0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125};
  const auto bias = [&](size_t head, size_t i, size_t j) { return -slopes[head] * distance(i, j); };
  Rows x = net.zeros(ids.size());
  net.add_rows("embeddings.word_embeddings.weight", [&](size_t i) { return ids[i]; }, x);
  net.add_rows("embeddings.token_type_embeddings.weight", [](size_t) { return 0; }, x);
  x = net.norm(x, "embeddings.LayerNorm");
  for (size_t l = 0; l < sizes.layers; ++l) {
    const std::string at = "encoder.layer." + std::to_string(l) + ".";
    const std::string self = at + "attention.self.";
    Rows q = net.linear(x, self + "query"), k = net.linear(x, self + "key");
    if (of_code) q = net.norm(q, self + "layer_norm_q"), k = net.norm(k, self + "layer_norm_k");
    const Rows context = net.attend(q, k, net.linear(x, self + "value"), bias);
    const Rows before = x;
    x = net.norm(plus(x, net.linear(context, at + "attention.output.dense")), at + "attention.output.LayerNorm");
    if (of_code) {
      x = net.norm(plus(x, before), at + "layer_norm_1");
      const Rows both = net.linear(x, at + "mlp.up_gated_layer");
      const Rows gated = times(split(both, 0, 2), each(split(both, 1, 2), gelu));
      x = net.norm(plus(x, net.linear(gated, at + "mlp.down_layer")), at + "layer_norm_2");
    } else {
      const Rows both = net.linear(x, at + "mlp.gated_layers");
      const Rows gated = times(each(split(both, 0, 2), gelu), split(both, 1, 2));
      x = net.norm(plus(x, net.linear(gated, at + "mlp.wo")), at + "mlp.layernorm");
    }
  }
  return x;
}

Rows gte_reference(const NamedTensors& tensors, const ReferenceSizes& sizes, const std::vector<uint32_t>& ids,
                   double base, double ntk_factor) {
  const Network net(tensors, sizes);
  const double dim = static_cast<double>(sizes.hidden) / static_cast<double>(sizes.heads);
  const auto frequency = [=](size_t i) {
    return std::pow(base * ntk_factor, -2.0 * static_cast<double>(i) / dim) / std::pow(ntk_factor, 2 / dim);
  };
  Rows x = net.zeros(ids.size());
  net.add_rows("embeddings.word_embeddings.weight", [&](size_t i) { return ids[i]; }, x);
  x = net.norm(x, "embeddings.LayerNorm");
  for (size_t l = 0; l < sizes.layers; ++l) {
    const std::string at = "encoder.layer." + std::to_string(l) + ".";
    const Rows qkv = net.linear(x, at + "attention.qkv_proj");
    const Rows q = net.rotate(split(qkv, 0, 3), frequency), k = net.rotate(split(qkv, 1, 3), frequency);
    const Rows context = net.attend(q, k, split(qkv, 2, 3), kNoBias);
    x = net.norm(plus(x, net.linear(context, at + "attention.o_proj")), at + "attn_ln");
    const Rows both = net.linear(x, at + "mlp.up_gate_proj");
    const Rows gated = times(split(both, 0, 2), each(split(both, 1, 2), gelu));
    x = net.norm(plus(x, net.linear(gated, at + "mlp.down_proj")), at + "mlp_ln");
  }
  return x;
}

Rows qwen3_reference(const NamedTensors& tensors, const ReferenceSizes& sizes, const std::vector<uint32_t>& ids,
                     double base, bool is_causal) {
  const Network net(tensors, sizes);
  const auto causal = [=](size_t, size_t i, size_t j) { return j <= i || !is_causal ? 0.0 : -INFINITY; };
  const auto frequency = frequencies(base, sizes);
  Rows x = net.zeros(ids.size());
  net.add_rows("embed_tokens.weight", [&](size_t i) { return ids[i]; }, x);
  for (size_t l = 0; l < sizes.layers; ++l) {
    const std::string at = "layers." + std::to_string(l) + ".", self = at + "self_attn.";
    const Rows in = net.rms_norm(x, at + "input_layernorm", sizes.hidden);
    const Rows q = net.rms_norm(net.linear(in, self + "q_proj"), self + "q_norm", sizes.head_dim());
    const Rows k = net.rms_norm(net.linear(in, self + "k_proj"), self + "k_norm", sizes.head_dim());
    const Rows v = net.linear(in, self + "v_proj");
    const Rows context = net.attend(net.rotate(q, frequency), net.rotate(k, frequency), v, causal);
    x = plus(x, net.linear(context, self + "o_proj"));
    const Rows y = net.rms_norm(x, at + "post_attention_layernorm", sizes.hidden);
    const Rows gated = times(each(net.linear(y, at + "mlp.gate_proj"), silu), net.linear(y, at + "mlp.up_proj"));
    x = plus(x, net.linear(gated, at + "mlp.down_proj"));
  }
  return net.rms_norm(x, "norm", sizes.hidden);
}

Rows embedding_gemma_reference(const NamedTensors& tensors, const ReferenceSizes& sizes,
                               const std::vector<uint32_t>& ids, size_t window, size_t interval, double scalar) {
  const Network net(tensors, sizes);
  const auto norm = [&](const Rows& x, const std::string& name) { return net.rms_norm(x, name, sizes.hidden, 1); };
  const auto near = [=](size_t, size_t i, size_t j) {
    return distance(i, j) <= static_cast<double>(window / 2) ? 0.0 : -INFINITY;
  };
  Rows x = net.zeros(ids.size());
  net.add_rows("embed_tokens.weight", [&](size_t i) { return ids[i]; }, x);
  for (std::vector<double>& row : x) {
    for (double& value : row) value *= std::sqrt(static_cast<double>(sizes.hidden));
  }
  for (size_t l = 0; l < sizes.layers; ++l) {
    const std::string at = "layers." + std::to_string(l) + ".", self = at + "self_attn.";
    const bool is_full = (l + 1) % interval == 0;
    const auto frequency = frequencies(is_full ? 1e6 : 1e4, sizes);
    const Rows in = norm(x, at + "input_layernorm");
    const Rows q = net.rms_norm(net.linear(in, self + "q_proj"), self + "q_norm", sizes.head_dim(), 1);
    const Rows k = net.rms_norm(net.linear(in, self + "k_proj"), self + "k_norm", sizes.head_dim(), 1);
    const Rows v = net.linear(in, self + "v_proj");
    const Network::Bias seen = is_full ? Network::Bias(kNoBias) : Network::Bias(near);
    const Rows context = net.attend(net.rotate(q, frequency), net.rotate(k, frequency), v, seen, scalar);
    x = plus(x, norm(net.linear(context, self + "o_proj"), at + "post_attention_layernorm"));
    const Rows y = norm(x, at + "pre_feedforward_layernorm");
    const Rows gated = times(each(net.linear(y, at + "mlp.gate_proj"), gelu_tanh), net.linear(y, at + "mlp.up_proj"));
    x = plus(x, norm(net.linear(gated, at + "mlp.down_proj"), at + "post_feedforward_layernorm"));
  }
  return norm(x, "norm");
}

}  // namespace quintet::test
