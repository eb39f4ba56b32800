#pragma once
// Small random encoders, loaded as a reader would under the names of Hugging Face, and compared with a reference.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "architectures/encoder/config.h"
#include "models/encoder/weights.h"
#include "tests/golden/encoder_reference.h"
#include "tests/kernels/random.h"
#include "tests/kernels/variants.h"

namespace quintet::test {

constexpr size_t kVocabulary = 40;

// Collects random tensors. With a gain of about 1, so that every operation shows in the result.
class RandomTensors {
 public:
  void table(const std::string& name, size_t rows, size_t hidden) { add(name + ".weight", {rows, hidden}, 1, 0); }
  void linear(const std::string& name, size_t rows, size_t cols, bool bias = true) {
    add(name + ".weight", {rows, cols}, 1.7F / std::sqrt(static_cast<float>(cols)), 0);
    if (bias) add(name + ".bias", {rows}, 0.3F, 0);
  }
  void norm(const std::string& name, size_t hidden, bool bias = true) {
    add(name + ".weight", {hidden}, 0.4F, 1);
    if (bias) add(name + ".bias", {hidden}, 0.3F, 0);
  }
  // The weight of an RMSNorm.
  void scale(const std::string& name, size_t width, float about) { add(name + ".weight", {width}, 0.4F, about); }
  const NamedTensors& all() const { return all_; }

 private:
  void add(const std::string& name, std::vector<uint64_t> shape, float scale, float about) {
    size_t count = 1;
    for (const uint64_t size : shape) count *= static_cast<size_t>(size);
    std::vector<float> values = random_.numbers(count);
    for (float& value : values) value = about + scale * value;
    all_[name] = {.shape = std::move(shape), .values = std::move(values)};
  }

  testing::Random random_;
  NamedTensors all_;
};

struct LoadedEncoder {
  EncoderConfig config;
  encoder::Weights weights;
};

// The configuration, the check of all tensors, then each tensor. `prefix`: of all names. Null if it failed, which is
// a failure of the test.
std::unique_ptr<LoadedEncoder> load_encoder(std::string_view config_json, const NamedTensors& tensors,
                                            const std::string& prefix = {});

std::vector<uint32_t> some_ids(size_t count);

class EncoderTest : public testing::EachVariant {
 protected:
  // Two sequences together: one of a single token, and `ids`.
  void expect_equal(const LoadedEncoder& model, const std::vector<uint32_t>& ids, const Rows& expected,
                    std::vector<uint8_t> types = {});
};

}  // namespace quintet::test
