#pragma once
// The fields of a tensor record after its name: their values, whether they agree and, if not, which one is wrong.

#include <cstdint>
#include <optional>

#include "base/bytes.h"
#include "base/result.h"
#include "formats/model_description.h"

namespace quintet::amb {

// Bytes from the shape up to the scales or, if there are none, to the data size.
uint64_t fields_bytes(size_t dimensions, uint8_t data_type);

struct RecordFields {
  uint64_t at = 0;  // of the shape in the file; the byte before is the number of dimensions
  size_t dimensions = 0;
  uint64_t room = 0;  // bytes from the shape to the end of the weights section
  Bytes ahead = {};   // as many of them as are available: at least the fields

  uint64_t bytes() const;  // of the fields
};

// The tensor, without its name; nothing if the fields are invalid or the tensor does not fit. For an adaptive tensor
// `bytes` is the minimum size of its data.
std::optional<TensorInfo> read_fields(const RecordFields& record);

// The codes at the start of an adaptive tensor's data take mask_bytes().
uint64_t mask_bytes(const TensorInfo& info);
// Whether these codes, the first bytes of `data`, imply info.bytes.
bool mask_fits(const TensorInfo& info, Bytes data);

// Names the wrong field, based on those available in `record`: one that with another value would make all others agree,
// else the most likely one. For fields that read_fields() rejects;
Failure wrong_fields(const RecordFields& record);
// for a stored data size that does not match shape and type;
Failure wrong_data_size(const RecordFields& record, const TensorInfo& info, uint64_t stored);
// for an adaptive tensor whose mask does not match info.bytes.
Failure wrong_mask(const RecordFields& record, const TensorInfo& info);

}  // namespace quintet::amb
