#pragma once
// Quantized matrices of a Hugging Face checkpoint as sources of a conversion.

#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "runtime/convert/source_model.h"

namespace quintet {

// Replaces the parts of each quantized matrix by the matrix; tensors of models that are not quantized stay. Requires
// the configuration of a decoder.
Status join_packed_weights(SourceModel& source);

// Reads the parts of a matrix, one after another, in the order of its ranges.
class PackedSourceReader {
 public:
  static Result<PackedSourceReader> create(const SourceTensor& tensor);

  // Receives the next bytes of the ranges.
  Status add(Bytes bytes);
  // All bytes were added: passes on the payload of the matrix, or its values as float32.
  Status write_to(ByteSink& sink, bool as_floats) const { return weight_.write_to(sink, as_floats); }

 private:
  explicit PackedSourceReader(const PackedParts& parts) : parts_(parts), weight_(parts.packing) {}

  PackedParts parts_;
  huggingface::PackedWeight weight_;
  size_t part_ = 0;  // the next
  uint64_t added_ = 0;
};

}  // namespace quintet
