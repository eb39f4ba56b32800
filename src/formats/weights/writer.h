#pragma once
// Writes .weights files front to back: a head that is known beforehand, the tensors' data as it comes, the footer. The same
// model gives the same bytes.

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "base/crc32.h"
#include "base/result.h"
#include "formats/model_description.h"

namespace quintet::weights {

class Writer {
 public:
  // Checks that the format can hold the model and lays it out: tensors in the order given, aligned, with checksums. Of the
  // description, metadata, vocabulary and the tensors' names, types and shapes count.
  static Result<Writer> create(ModelDescription description);

  // Header, metadata, vocabulary, tensor index and the padding before the data.
  Bytes head() const { return head_; }
  // As it stands in the file, with sizes and places.
  const ModelDescription& description() const { return description_; }

  // The next bytes of tensor data, in pieces of any size; a piece lies within one tensor. What to write to the file
  // is appended to `out`: the piece, and before a tensor the padding.
  Status append(Bytes piece, std::vector<std::byte>& out);
  // After the data of all tensors: the footer.
  Status finish(std::vector<std::byte>& out);

 private:
  explicit Writer(ModelDescription description) : description_(std::move(description)) {}

  Status lay_out();
  void count_and_put(Bytes bytes, std::vector<std::byte>& out);

  ModelDescription description_;
  std::vector<std::byte> head_;
  uint64_t data_size_ = 0;
  size_t tensor_ = 0;     // whose data comes next
  uint64_t written_ = 0;  // of that tensor
  uint64_t offset_ = 0;   // in the file
  Crc32 data_crc_;
};

}  // namespace quintet::weights
