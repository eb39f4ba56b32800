#pragma once
// The weights of an encoder, module by module, under the names of architectures/encoder/parts.h. Loading has checked
// that all that the configuration needs are present, with its shapes; the forward pass relies on that.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "architectures/encoder/parts.h"
#include "base/aligned_buffer.h"
#include "models/module.h"
#include "tensor/packed/row_table.h"

namespace quintet::encoder {

using Module = PackedModule;

// The modules of consecutive parts. One that a network does not have is empty.
template <Part kFirst, Part kEnd>
class Modules {
 public:
  const Module& operator[](Part part) const { return modules_[index(part)]; }
  Module& operator[](Part part) { return modules_[index(part)]; }
  bool has(Part part) const { return (*this)[part].exists(); }

  auto begin() const { return modules_.begin(); }
  auto begin() { return modules_.begin(); }
  auto end() const { return modules_.end(); }
  auto end() { return modules_.end(); }

  size_t bytes() const {
    size_t total = 0;
    for (const Module& module : modules_) total += module.bytes();
    return total;
  }

 private:
  static constexpr size_t index(Part part) { return static_cast<size_t>(part) - static_cast<size_t>(kFirst); }

  std::array<Module, static_cast<size_t>(kEnd) - static_cast<size_t>(kFirst)> modules_;
};
using Layer = Modules<Part::input_norm, Part::word_embeddings>;
using SharedModules = Modules<Part::embeddings_norm, Part::end>;

struct Weights {
  RowTable word_embeddings;  // [vocab_size][hidden]
  // Only static embeddings have these:
  AlignedBuffer<float> word_weights;  // [vocab_size]: factors of the rows
  AlignedBuffer<uint32_t> word_rows;  // [vocab_size]: the row of a token
  RowTable position_embeddings;       // [max_positions][hidden]
  RowTable token_type_embeddings;     // [types][hidden]
  SharedModules shared;               // those outside of the layers; distance_bias is a vector [buckets][heads]
  std::vector<Layer> layers;

  // Memory in use.
  size_t bytes() const {
    size_t total = word_embeddings.bytes() + position_embeddings.bytes() + token_type_embeddings.bytes() +
                   word_weights.capacity() * sizeof(float) + word_rows.capacity() * sizeof(uint32_t) + shared.bytes();
    for (const Layer& layer : layers) total += layer.bytes();
    return total;
  }
};

}  // namespace quintet::encoder
