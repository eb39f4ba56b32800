#pragma once
// A model file in memory, as the library's own writers make it of seeded values.

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "bench/native/formats/seeded_values.h"
#include "formats/model_description.h"

namespace quintet::bench {

struct ModelFile {
  std::vector<std::byte> bytes;
  std::vector<TensorInfo> tensors;     // in the order of the file; also the numbers of their values
  std::vector<uint32_t> payload_crcs;  // of what each tensor's sink is to get
};

Result<ModelFile> write_model(ModelDescription description, const SeededValues& values);

// What an element of a plain int8 tensor is for a seeded value.
int8_t int8_of(float value);

}  // namespace quintet::bench
