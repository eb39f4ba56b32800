#pragma once
// Decoders that make encoders: those with Llama's blocks, and LFM2 with its short convolutions, in double precision,
// written from transformers' modeling files; and small random ones.

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tests/golden/small_encoders.h"

namespace quintet::test {

// Heads are wider than hidden / heads, and four of queries share two of keys.
constexpr size_t kHidden = 16, kHeads = 4, kKeyHeads = 2, kHeadWidth = 6, kMlp = 24, kLayers = 3;
constexpr double kEpsilon = 1e-5;

using Row = std::vector<double>;

// The differences between a family and Llama.
struct Otherwise {
  bool is_causal = true, has_qk_norm = false, has_gelu = false, scales_embeddings = false;
  size_t window = 0, keys = 0;  // 0: all; `keys`: the first tokens, which are all that attention sees
  double base = 10000, norm_offset = 0;
  Row frequencies = {};                   // of pairs; empty: by the base
  double rope_scale = 1;                  // of cosines and sines
  std::vector<size_t> convolutions = {};  // these layers have one
  size_t kernel = 3, seen_before = 2;     // by a convolution
};

// Under Llama's names, and LFM2's for convolutions.
class DecoderReference {
 public:
  DecoderReference(const NamedTensors& tensors, const Otherwise& otherwise) : tensors_(tensors), is_(otherwise) {}

  Rows hidden(const std::vector<uint32_t>& ids) const {
    Rows x;
    for (const uint32_t id : ids) {
      Row row = matrix("embed_tokens.weight", kHidden)[id];
      for (double& value : row) value *= is_.scales_embeddings ? std::sqrt(static_cast<double>(kHidden)) : 1;
      x.push_back(row);
    }
    for (size_t layer = 0; layer < kLayers; ++layer) {
      const std::string at = "layers." + std::to_string(layer) + ".";
      const bool convolves = std::ranges::find(is_.convolutions, layer) != is_.convolutions.end();
      const Rows in = norm(x, at + "input_layernorm");
      x = sum(x, convolves ? convolution(in, at + "conv.") : attention(in, at + "self_attn."));
      const Rows h = norm(x, at + "post_attention_layernorm");
      Rows gate = linear(h, at + "mlp.gate_proj");
      const Rows up = linear(h, at + "mlp.up_proj");
      for (size_t i = 0; i < gate.size(); ++i) {
        for (size_t c = 0; c < kMlp; ++c) gate[i][c] = activation(gate[i][c]) * up[i][c];
      }
      x = sum(x, linear(gate, at + "mlp.down_proj"));
    }
    return norm(x, "norm");
  }

 private:
  Rows matrix(const std::string& name, size_t columns) const {
    const std::vector<float>& values = tensors_.at(name).values;
    Rows rows;
    for (size_t at = 0; at < values.size(); at += columns) {
      rows.emplace_back(values.begin() + static_cast<ptrdiff_t>(at),
                        values.begin() + static_cast<ptrdiff_t>(at + columns));
    }
    return rows;
  }

  Rows linear(const Rows& x, const std::string& name) const {
    const Rows weight = matrix(name + ".weight", x[0].size());
    const auto bias = tensors_.find(name + ".bias");
    Rows y;
    for (const Row& in : x) {
      Row& out = y.emplace_back();
      for (size_t o = 0; o < weight.size(); ++o) {
        double value = bias == tensors_.end() ? 0 : bias->second.values[o];
        for (size_t c = 0; c < in.size(); ++c) value += weight[o][c] * in[c];
        out.push_back(value);
      }
    }
    return y;
  }

  // RMSNorm of each group of columns that is as wide as the norm.
  Rows norm(Rows x, const std::string& name) const {
    const std::vector<float>& weight = tensors_.at(name + ".weight").values;
    for (Row& row : x) {
      for (size_t at = 0; at < row.size(); at += weight.size()) {
        double squares = 0;
        for (size_t c = 0; c < weight.size(); ++c) squares += row[at + c] * row[at + c];
        const double scale = 1 / std::sqrt(squares / static_cast<double>(weight.size()) + kEpsilon);
        for (size_t c = 0; c < weight.size(); ++c) row[at + c] *= scale * (weight[c] + is_.norm_offset);
      }
    }
    return x;
  }

  double frequency(size_t pair) const {
    if (!is_.frequencies.empty()) return is_.frequencies[pair];
    return std::pow(is_.base, -2.0 * static_cast<double>(pair) / static_cast<double>(kHeadWidth));
  }

  // rotate_half(): the second half of a head is the other coordinate of the first.
  Rows rotated(Rows x) const {
    for (size_t position = 0; position < x.size(); ++position) {
      for (size_t at = 0; at < x[position].size(); at += kHeadWidth) {
        for (size_t i = 0; i < kHeadWidth / 2; ++i) {
          const double angle = static_cast<double>(position) * frequency(i);
          const double cosine = is_.rope_scale * std::cos(angle), sine = is_.rope_scale * std::sin(angle);
          double &a = x[position][at + i], &b = x[position][at + i + kHeadWidth / 2];
          const double turned = a * cosine - b * sine;
          b = b * cosine + a * sine;
          a = turned;
        }
      }
    }
    return x;
  }

  bool sees(size_t from, size_t to) const {
    if (is_.keys != 0 && to >= is_.keys) return false;
    return !is_.is_causal || (to <= from && (is_.window == 0 || from - to < is_.window));
  }

  Rows attention(const Rows& in, const std::string& at) const {
    Rows q = linear(in, at + "q_proj"), k = linear(in, at + "k_proj");
    if (is_.has_qk_norm) q = norm(q, at + "q_norm"), k = norm(k, at + "k_norm");
    q = rotated(q), k = rotated(k);
    const Rows v = linear(in, at + "v_proj");
    Rows context(in.size(), Row(kHeads * kHeadWidth));
    for (size_t i = 0; i < in.size(); ++i) {
      for (size_t head = 0; head < kHeads; ++head) {
        const size_t first = head * kHeadWidth, key = head / (kHeads / kKeyHeads) * kHeadWidth;
        Row weights(in.size());
        double total = 0;
        for (size_t j = 0; j < in.size(); ++j) {
          if (!sees(i, j)) continue;
          double score = 0;
          for (size_t c = 0; c < kHeadWidth; ++c) score += q[i][first + c] * k[j][key + c];
          weights[j] = std::exp(score / std::sqrt(static_cast<double>(kHeadWidth)));
          total += weights[j];
        }
        for (size_t j = 0; j < in.size(); ++j) {
          for (size_t c = 0; c < kHeadWidth; ++c) context[i][first + c] += weights[j] / total * v[j][key + c];
        }
      }
    }
    return linear(context, at + "o_proj");
  }

  // out_proj(C * conv1d(B * x)), with B, C, x = in_proj(h): torch.nn.Conv1d with groups, whose padding is
  // `seen_before`.
  Rows convolution(const Rows& in, const std::string& at) const {
    const Rows gated = linear(in, at + "in_proj");
    const Rows kernels = matrix(at + "conv.weight", is_.kernel);
    Rows y(in.size(), Row(kHidden));
    for (size_t i = 0; i < in.size(); ++i) {
      for (size_t c = 0; c < kHidden; ++c) {
        for (size_t j = 0; j < is_.kernel; ++j) {
          if (i + j < is_.seen_before || i + j - is_.seen_before >= in.size()) continue;
          const Row& seen = gated[i + j - is_.seen_before];
          y[i][c] += kernels[c][j] * seen[c] * seen[2 * kHidden + c];
        }
        y[i][c] *= gated[i][kHidden + c];
      }
    }
    return linear(y, at + "out_proj");
  }

  double activation(double x) const {
    const double tanh = std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x));
    return is_.has_gelu ? 0.5 * x * (1 + tanh) : x / (1 + std::exp(-x));
  }

  static Rows sum(Rows a, const Rows& b) {
    for (size_t i = 0; i < a.size(); ++i) {
      for (size_t c = 0; c < a[i].size(); ++c) a[i][c] += b[i][c];
    }
    return a;
  }

  const NamedTensors& tensors_;
  const Otherwise& is_;
};

inline RandomTensors tensors_for(const Otherwise& is, bool has_biases) {
  RandomTensors tensors;
  const auto about = static_cast<float>(1 - is.norm_offset);
  tensors.table("embed_tokens", kVocabulary, kHidden);
  tensors.scale("norm", kHidden, about);
  for (size_t layer = 0; layer < kLayers; ++layer) {
    const std::string at = "layers." + std::to_string(layer) + ".", self = at + "self_attn.";
    tensors.scale(at + "input_layernorm", kHidden, about);
    if (std::ranges::find(is.convolutions, layer) != is.convolutions.end()) {
      tensors.linear(at + "conv.in_proj", 3 * kHidden, kHidden, false);
      tensors.linear(at + "conv.conv", kHidden, is.kernel, false);
      tensors.linear(at + "conv.out_proj", kHidden, kHidden, false);
    } else {
      tensors.linear(self + "q_proj", kHeads * kHeadWidth, kHidden, has_biases);
      tensors.linear(self + "k_proj", kKeyHeads * kHeadWidth, kHidden, has_biases);
      tensors.linear(self + "v_proj", kKeyHeads * kHeadWidth, kHidden, has_biases);
      tensors.linear(self + "o_proj", kHidden, kHeads * kHeadWidth, false);
      if (is.has_qk_norm)
        tensors.scale(self + "q_norm", kHeadWidth, about), tensors.scale(self + "k_norm", kHeadWidth, about);
    }
    tensors.scale(at + "post_attention_layernorm", kHidden, about);
    for (const char* part : {"gate_proj", "up_proj"}) tensors.linear(at + "mlp." + part, kMlp, kHidden, false);
    tensors.linear(at + "mlp.down_proj", kHidden, kMlp, false);
  }
  return tensors;
}

inline NamedTensors with_names_of_lfm2(const NamedTensors& tensors) {
  const std::pair<std::string, std::string> names[] = {{"input_layernorm", "operator_norm"},
                                                       {"post_attention_layernorm", "ffn_norm"},
                                                       {"q_norm", "q_layernorm"},
                                                       {"k_norm", "k_layernorm"},
                                                       {"o_proj", "out_proj"},
                                                       {"mlp.gate_proj", "feed_forward.w1"},
                                                       {"mlp.down_proj", "feed_forward.w2"},
                                                       {"mlp.up_proj", "feed_forward.w3"}};
  NamedTensors renamed;
  for (const auto& [original, values] : tensors) {
    std::string name = original;
    NamedTensor tensor = values;
    for (const auto& [from, to] : names) {
      const size_t at = name.find(from);
      if (at != name.npos) name.replace(at, from.size(), to);
    }
    if (name == "norm.weight") name = "embedding_norm.weight";
    // Conv1d has a dimension for the channels of a group.
    if (name.ends_with("conv.conv.weight")) tensor.shape.insert(tensor.shape.begin() + 1, 1);
    renamed[name] = tensor;
  }
  return renamed;
}

}  // namespace quintet::test
