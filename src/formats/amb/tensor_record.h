#pragma once
// The fields of a tensor record behind its name: what they say, whether they agree, and which one is wrong where they
// do not.

#include <cstdint>
#include <optional>

#include "base/bytes.h"
#include "base/result.h"
#include "formats/model_description.h"

namespace quintet::amb {

// Bytes from the shape up to the scales or, where there are none, to the data size.
uint64_t fields_bytes(size_t dimensions, uint8_t data_type);

struct RecordFields {
  uint64_t at = 0;  // of the shape in the file; the number of dimensions stands in the byte before
  size_t dimensions = 0;
  uint64_t room = 0;  // bytes from the shape to the end of the weights section
  Bytes ahead = {};   // as many of them as are at hand: the fields at least

  uint64_t bytes() const;  // of the fields
};

// The tensor, without its name; nothing where the fields are of none, or of one that has no room. Of an adaptive tensor
// `bytes` is the least that its data can take.
std::optional<TensorInfo> read_fields(const RecordFields& record);

// The codes that an adaptive tensor's data begins with take mask_bytes().
uint64_t mask_bytes(const TensorInfo& info);
// Whether those codes, the first bytes of `data`, ask for info.bytes.
bool mask_fits(const TensorInfo& info, Bytes data);

// Which field is wrong, by what `record` has ahead: one that could be another so that all the others agree, else the
// likeliest. For fields that read_fields() gives no tensor for;
std::unexpected<Error> wrong_fields(const RecordFields& record);
// for a stored data size that is not the one that shape and type need;
std::unexpected<Error> wrong_data_size(const RecordFields& record, const TensorInfo& info, uint64_t stored);
// for an adaptive tensor whose mask asks for another size than info.bytes.
std::unexpected<Error> wrong_mask(const RecordFields& record, const TensorInfo& info);

}  // namespace quintet::amb
