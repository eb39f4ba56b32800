#pragma once
// The fields of a protobuf message, one after another.

#include <cstdint>
#include <optional>

#include "base/byte_reader.h"

namespace quintet::sentencepiece {

enum class WireType : uint8_t { varint = 0, fixed64 = 1, length_delimited = 2, fixed32 = 5 };

struct Field {
  uint64_t number = 0;
  WireType type = WireType::varint;
  uint64_t value = 0;   // of varint, fixed64 and fixed32
  Bytes bytes;          // of length_delimited
  uint64_t offset = 0;  // of the value or the bytes in the file

  bool is(uint64_t wanted) const { return number == wanted; }
};

class FieldReader {
 public:
  FieldReader(Bytes message, uint64_t base) : reader_(message, base) {}

  // Nothing at the message's end.
  Result<std::optional<Field>> next();

 private:
  Result<uint64_t> varint();

  ByteReader reader_;
};

// A field that the schema knows comes as what it is there: the official library would take it for an unknown one, and
// silently lose what the file says.
Status expect_type(const Field& field, WireType type);

}  // namespace quintet::sentencepiece
