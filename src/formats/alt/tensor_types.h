#pragma once
// The numbers that stand for the types of values (docs/formats/alt.md).

#include <cstdint>
#include <optional>

#include "formats/model_description.h"

namespace quintet::alt {

// Sets the type that the number stands for; false where it stands for none.
bool set_data_type(int32_t number, TensorInfo& info);
// Two 4-bit values a byte, or one; false where the flag means nothing for the type.
bool set_packing(int8_t flag, TensorInfo& info);

// The number of the tensor's type; nothing where the format has none.
std::optional<int32_t> data_type(const TensorInfo& info);

}  // namespace quintet::alt
