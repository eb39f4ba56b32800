#pragma once
// How far the values of a converted tensor are from those that it was made of.

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace quintet {

struct TensorError {
  std::string tensor;
  double max_error = 0;  // largest difference of two values
  double cosine = 1;     // of the two tensors as vectors; 1 where both are zero
};

class TensorComparison {
 public:
  TensorComparison(std::string tensor, std::vector<float> expected)
      : tensor_(std::move(tensor)), expected_(std::move(expected)) {}

  // The next values of the converted tensor. Values that are equal, two NaN among them, do not
  // count as different.
  void add(std::span<const float> actual);
  // Values that are missing count as infinitely far.
  TensorError result() const;

 private:
  std::string tensor_;
  std::vector<float> expected_;
  size_t compared_ = 0;
  double max_error_ = 0;
  double product_ = 0, expected_square_ = 0, actual_square_ = 0;
};

}  // namespace quintet
