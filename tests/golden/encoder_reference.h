#pragma once
// Encoders in double precision, written from the papers and the models' own code, one function for each family: slow,
// and without anything of the library. Weights are under the names of Hugging Face.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace quintet::test {

struct NamedTensor {
  std::vector<uint64_t> shape;
  std::vector<float> values;
};
using NamedTensors = std::map<std::string, NamedTensor>;

using Rows = std::vector<std::vector<double>>;

struct ReferenceSizes {
  size_t hidden, layers, heads, intermediate;
  double epsilon;
  size_t head_width = 0;  // 0: hidden / heads
  size_t key_heads = 0;   // 0: heads

  size_t head_dim() const { return head_width == 0 ? hidden / heads : head_width; }
};

// The hidden states of one sequence.
Rows bert_reference(const NamedTensors& tensors, const ReferenceSizes& sizes, const std::vector<uint32_t>& ids,
                    const std::vector<uint8_t>& types, size_t first_position);
Rows distilbert_reference(const NamedTensors& tensors, const ReferenceSizes& sizes, const std::vector<uint32_t>& ids);
Rows mpnet_reference(const NamedTensors& tensors, const ReferenceSizes& sizes, const std::vector<uint32_t>& ids);
Rows nomic_reference(const NamedTensors& tensors, const ReferenceSizes& sizes, const std::vector<uint32_t>& ids,
                     double base);
Rows modernbert_reference(const NamedTensors& tensors, const ReferenceSizes& sizes, const std::vector<uint32_t>& ids,
                          size_t local_attention, size_t interval);
// With the names of jina-embeddings-v2-base-en or, if `of_code`, of jina-embeddings-v2-base-code, which normalizes
// queries and keys and adds the input of a layer twice.
Rows jina_reference(const NamedTensors& tensors, const ReferenceSizes& sizes, const std::vector<uint32_t>& ids,
                    bool of_code);
Rows gte_reference(const NamedTensors& tensors, const ReferenceSizes& sizes, const std::vector<uint32_t>& ids,
                   double base, double ntk_factor);
Rows qwen3_reference(const NamedTensors& tensors, const ReferenceSizes& sizes, const std::vector<uint32_t>& ids,
                     double base, bool is_causal = true);
// Every `interval`th layer sees all tokens, the others those at most window / 2 away.
Rows embedding_gemma_reference(const NamedTensors& tensors, const ReferenceSizes& sizes,
                               const std::vector<uint32_t>& ids, size_t window, size_t interval, double scalar);

}  // namespace quintet::test
