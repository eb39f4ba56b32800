#include "tests/golden/small_encoders.h"

#include <cmath>
#include <cstring>

#include "architectures/encoder/tensor_check.h"
#include "models/encoder/encoder.h"
#include "models/encoder/weights_loader.h"

namespace quintet::test {

std::unique_ptr<LoadedEncoder> load_encoder(std::string_view config_json, const NamedTensors& tensors,
                                            const std::string& prefix) {
  auto model = std::make_unique<LoadedEncoder>();
  const auto config = read_encoder_config_json(*parse_json(config_json));
  EXPECT_TRUE(config) << config.error().detail;
  if (!config) return nullptr;
  model->config = *config;
  std::vector<TensorInfo> infos;
  for (const auto& [name, tensor] : tensors) {
    TensorInfo info;
    info.name = prefix + name;
    info.shape = tensor.shape;
    info.bytes = tensor.values.size() * sizeof(float);
    infos.push_back(std::move(info));
  }
  const encoder::TensorNames names(encoder::family_of(*config), Format::safetensors);
  const Status complete = check_encoder_tensors(*config, names, infos);
  EXPECT_TRUE(complete) << complete.error().tensor << ": " << complete.error().detail;
  encoder::WeightsLoader loader(model->weights, false);
  loader.begin(names, *config);
  for (const TensorInfo& info : infos) EXPECT_TRUE(loader.announce(info)) << info.name;
  for (const TensorInfo& info : infos) {
    auto sink = loader.tensor({info, true});
    EXPECT_TRUE(sink && *sink) << info.name;
    const auto& values = tensors.at(info.name.substr(prefix.size())).values;
    EXPECT_TRUE((*sink)->write(std::as_bytes(std::span(values))));
    EXPECT_TRUE((*sink)->finish());
  }
  EXPECT_TRUE(loader.finish());
  return model;
}

std::vector<uint32_t> some_ids(size_t count) {
  std::vector<uint32_t> ids;
  for (size_t i = 0; i < count; ++i) ids.push_back(static_cast<uint32_t>((i * 7 + i / 3) % kVocabulary));
  return ids;
}

void EncoderTest::expect_equal(const LoadedEncoder& model, const std::vector<uint32_t>& ids, const Rows& expected,
                               std::vector<uint8_t> types) {
  encoder::Encoder encoder(model.config, model.weights, kernels());
  std::vector<uint32_t> batch = {5};
  batch.insert(batch.end(), ids.begin(), ids.end());
  if (!types.empty()) types.insert(types.begin(), 0);
  const encoder::Sequence sequences[] = {{.begin = 0, .length = 1}, {.begin = 1, .length = ids.size()}};
  const Status begun = encoder.begin(batch, sequences, types);
  ASSERT_TRUE(begun) << begun.error().detail;
  while (!encoder.step()) {
  }
  const size_t hidden = model.config.hidden_size();
  double worst = 0;
  for (size_t i = 0; i < ids.size(); ++i) {
    for (size_t c = 0; c < hidden; ++c) {
      worst = std::max(worst, std::abs(encoder.hidden()[(i + 1) * hidden + c] - expected[i][c]));
    }
  }
  EXPECT_LT(worst, 3e-5);
}

}  // namespace quintet::test
