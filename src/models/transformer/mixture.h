#pragma once
// The experts that the tokens of a pass use in a layer, and the rows that one expert computes.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "architectures/transformer/config.h"
#include "base/aligned_buffer.h"
#include "base/result.h"
#include "kernels/rows.h"

namespace quintet {

class Mixture {
 public:
  // A row that an expert computes, and the weight of its result.
  struct Choice {
    uint32_t row;
    float weight;
  };

  // Reserves memory for `rows` tokens; nothing for a model without experts.
  Status reserve(const TransformerConfig& config, size_t rows);
  size_t bytes() const;

  // [rows][experts]: the scores, before choose().
  Rows scores() { return {scores_.data(), experts_}; }
  // [rows][n_embd] each: the inputs of one expert, its results, and the sum of all.
  Rows inputs() { return {inputs_.data(), width_}; }
  Rows results() { return {results_.data(), width_}; }
  Rows sums() { return {sums_.data(), width_}; }

  // Forgets all choices.
  void clear();
  // Chooses the experts of a row by its scores and, to choose but not to weight them, `bias` [experts] or nothing.
  void choose(const TransformerConfig& config, size_t row, std::span<const float> bias);
  std::span<const Choice> chosen(size_t expert) const { return chosen_[expert]; }
  // Copies the rows of `from` that an expert computes to inputs().
  void gather(size_t expert, const ConstRows& from);
  // Adds the weighted results of an expert to the sums of the rows that chose it.
  void add_results(size_t expert);

 private:
  size_t experts_ = 0;
  size_t width_ = 0;
  AlignedBuffer<float> scores_, inputs_, results_, sums_;
  std::vector<uint32_t> order_;              // of the experts, best first
  std::vector<std::vector<Choice>> chosen_;  // by expert, in ascending order of rows
};

}  // namespace quintet
