#include "models/bert/weights.h"

#include <algorithm>
#include <string>

namespace quintet::bert {
namespace {

std::string shape_text(size_t rows, size_t cols) {
  return "[" + std::to_string(rows) + ", " + std::to_string(cols) + "]";
}

std::unexpected<Error> mismatch(std::string tensor, std::string detail) {
  return fail({.code = Code::format,
               .reason = Reason::mismatch,
               .detail = std::move(detail),
               .tensor = std::move(tensor)});
}

Status check_shape(const std::string& tensor, size_t rows, size_t cols, size_t want_rows, size_t want_cols) {
  if (rows == 0 && cols == 0) {
    return fail({.code = Code::format,
                 .reason = Reason::missing,
                 .detail = "the model has no tensor " + tensor,
                 .tensor = tensor});
  }
  if (rows == want_rows && cols == want_cols) return {};
  return mismatch(tensor, "shape " + shape_text(rows, cols) + " where the model needs " +
                              shape_text(want_rows, want_cols));
}

Status check_vector(const std::string& tensor, const AlignedBuffer<float>& vector, size_t want) {
  return check_shape(tensor, vector.size(), vector.size() == 0 ? 0 : 1, want, 1);
}

Status check_linear(const std::string& name, const Linear& linear, size_t out, size_t in) {
  QUINTET_CHECK(check_shape(name + ".weight", linear.weight.rows(), linear.weight.cols(), out, in));
  return check_vector(name + ".bias", linear.bias, out);
}

Status check_norm(const std::string& name, const LayerNorm& norm, size_t hidden) {
  QUINTET_CHECK(check_vector(name + ".weight", norm.gamma, hidden));
  return check_vector(name + ".bias", norm.beta, hidden);
}

Status check_table(const std::string& name, const RowTable& table, size_t rows, size_t cols) {
  return check_shape(name + ".weight", table.rows(), table.cols(), rows, cols);
}

Status check_layer(const std::string& prefix, const Config& config, const Layer& layer) {
  const size_t hidden = config.hidden;
  QUINTET_CHECK(check_linear(prefix + "attention.self.query", layer.query, hidden, hidden));
  QUINTET_CHECK(check_linear(prefix + "attention.self.key", layer.key, hidden, hidden));
  QUINTET_CHECK(check_linear(prefix + "attention.self.value", layer.value, hidden, hidden));
  QUINTET_CHECK(check_linear(prefix + "attention.output.dense", layer.attention_output, hidden, hidden));
  QUINTET_CHECK(check_norm(prefix + "attention.output.LayerNorm", layer.attention_norm, hidden));
  QUINTET_CHECK(check_linear(prefix + "intermediate.dense", layer.intermediate, config.intermediate, hidden));
  QUINTET_CHECK(check_linear(prefix + "output.dense", layer.output, hidden, config.intermediate));
  return check_norm(prefix + "output.LayerNorm", layer.output_norm, hidden);
}

size_t bytes_of(const Linear& linear) {
  return linear.weight.bytes() + linear.bias.capacity() * sizeof(float);
}

size_t bytes_of(const LayerNorm& norm) {
  return (norm.gamma.capacity() + norm.beta.capacity()) * sizeof(float);
}

}  // namespace

size_t Weights::bytes() const {
  size_t total = word_embeddings.bytes() + position_embeddings.bytes() + token_type_embeddings.bytes() +
                 bytes_of(embeddings_norm);
  for (const Layer& layer : layers) {
    total += bytes_of(layer.query) + bytes_of(layer.key) + bytes_of(layer.value) +
             bytes_of(layer.attention_output) + bytes_of(layer.attention_norm) +
             bytes_of(layer.intermediate) + bytes_of(layer.output) + bytes_of(layer.output_norm);
  }
  return total;
}

uint64_t usual_heads(uint64_t hidden) {
  constexpr uint64_t kUsualHeadDim = 32;
  return std::max<uint64_t>(hidden / kUsualHeadDim, 1);
}

Config config_of_shapes(const Weights& weights, size_t heads) {
  const size_t hidden = weights.word_embeddings.cols();
  return {.vocab_size = weights.word_embeddings.rows(),
          .hidden = hidden,
          .layers = weights.layers.size(),
          .heads = heads != 0 ? heads : static_cast<size_t>(usual_heads(hidden)),
          .intermediate = weights.layers.empty() ? 0 : weights.layers.front().intermediate.weight.rows(),
          .max_positions = weights.position_embeddings.rows()};
}

Status check(const Config& config, const Weights& weights) {
  QUINTET_CHECK(check_table("embeddings.word_embeddings", weights.word_embeddings, config.vocab_size,
                            config.hidden));
  QUINTET_CHECK(check_table("embeddings.position_embeddings", weights.position_embeddings,
                            config.max_positions, config.hidden));
  if (config.hidden == 0 || config.heads == 0 || config.hidden % config.heads != 0) {
    return input_error(Reason::out_of_range, std::to_string(config.heads) +
                                                 " attention heads do not divide the hidden size " +
                                                 std::to_string(config.hidden));
  }
  // Sentences are of token type 0; how many types a model knows does not matter.
  QUINTET_CHECK(check_table("embeddings.token_type_embeddings", weights.token_type_embeddings,
                            weights.token_type_embeddings.rows(), config.hidden));
  QUINTET_CHECK(check_norm("embeddings.LayerNorm", weights.embeddings_norm, config.hidden));
  if (weights.layers.size() != config.layers) {
    return mismatch("", "the tensors hold " + std::to_string(weights.layers.size()) +
                            " layers, the metadata says " + std::to_string(config.layers));
  }
  for (size_t i = 0; i < weights.layers.size(); ++i) {
    QUINTET_CHECK(check_layer("encoder.layer." + std::to_string(i) + ".", config, weights.layers[i]));
  }
  return {};
}

}  // namespace quintet::bert
