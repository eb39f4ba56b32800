#include "bench/native/formats/model_file.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "base/hash.h"
#include "formats/model_files.h"
#include "tensor/codecs/payload.h"

namespace quintet::bench {
namespace {

// A prime, so that rows do not repeat.
constexpr size_t kPoolValues = 1048573;
constexpr uint64_t kStep = 40503;

std::vector<std::byte> int8_payload(size_t tensor, uint64_t elements, const SeededValues& values) {
  std::vector<std::byte> payload;
  payload.reserve(static_cast<size_t>(elements));
  while (payload.size() < elements) {
    for (const float value : values.run(tensor, payload.size(), elements - payload.size())) {
      payload.push_back(static_cast<std::byte>(int8_of(value)));
    }
  }
  return payload;
}

// Fills in the parameters that the values give.
Result<std::vector<std::byte>> make_payload(TensorInfo& info, size_t tensor, const SeededValues& values) {
  const uint64_t elements = info.elements();
  if (!info.quantized() && info.dtype == Dtype::i8) return int8_payload(tensor, elements, values);
  QUINTET_TRY(const auto encoder, make_encoder(info.dtype, info.quantization, elements, info.bytes));
  std::vector<std::byte> payload;
  for (uint64_t at = 0; at < elements;) {
    const std::span<const float> run = values.run(tensor, at, elements - at);
    QUINTET_CHECK(encoder->write(run, payload));
    at += run.size();
  }
  QUINTET_CHECK(encoder->finish(payload));
  info.quantization = encoder->quantization();
  return payload;
}

}  // namespace

SeededValues::SeededValues() : pool_(kPoolValues) {
  std::minstd_rand random(1);
  for (float& value : pool_) value = static_cast<float>(random() % 2000001) * 1e-6f - 1;
}

std::span<const float> SeededValues::run(size_t tensor, uint64_t at, uint64_t most) const {
  const auto begin = static_cast<size_t>((at + tensor * kStep) % kPoolValues);
  const uint64_t count = std::min<uint64_t>(most, kPoolValues - begin);
  return std::span(pool_).subspan(begin, static_cast<size_t>(count));
}

int8_t int8_of(float value) { return static_cast<int8_t>(std::lround(value * 127)); }

Result<ModelFile> write_model(ModelDescription description, const SeededValues& values) {
  const std::unique_ptr<ModelWriter> writer = make_writer(description.format);
  std::vector<TensorInfo> tensors;
  for (const size_t i : writer->tensor_order(description.tensors)) tensors.push_back(description.tensors[i]);
  description.tensors = std::move(tensors);

  ModelFile file;
  QUINTET_CHECK(writer->begin(description, file.bytes));
  file.bytes.reserve(static_cast<size_t>(*description.file_size));
  for (size_t i = 0; i < description.tensors.size(); ++i) {
    TensorInfo& info = description.tensors[i];
    QUINTET_TRY(const std::vector<std::byte> payload, make_payload(info, i, values));
    file.payload_crcs.push_back(crc32(payload));
    QUINTET_CHECK(writer->begin_tensor(info, file.bytes));
    QUINTET_CHECK(writer->write(payload, file.bytes));
  }
  QUINTET_CHECK(writer->finish(file.bytes));
  file.tensors = std::move(description.tensors);
  return file;
}

}  // namespace quintet::bench
