#pragma once
// Reads the fields of protobuf messages one after another.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/byte_reader.h"
#include "base/byte_writer.h"

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

  // Nothing at the end of the message.
  Result<std::optional<Field>> next();

 private:
  Result<uint64_t> varint();

  ByteReader reader_;
};

// Fails if a known field has a different wire type than in the schema. The official library would treat it as an
// unknown field, and silently lose its content.
Status expect_type(const Field& field, WireType type);

// Appends fields to a message.
class MessageWriter {
 public:
  void put_varint(uint64_t number, uint64_t value) {
    put_tag(number, WireType::varint);
    put_number(value);
  }
  void put_float(uint64_t number, float value) {
    put_tag(number, WireType::fixed32);
    out_.put(value);
  }
  void put_text(uint64_t number, std::string_view text) { put_bytes(number, as_bytes(text)); }
  void put_message(uint64_t number, const MessageWriter& message) { put_bytes(number, message.out_.bytes()); }

  std::vector<std::byte> take() { return out_.take(); }

 private:
  void put_bytes(uint64_t number, Bytes bytes) {
    put_tag(number, WireType::length_delimited);
    put_number(bytes.size());
    out_.put_bytes(bytes);
  }
  void put_tag(uint64_t number, WireType type) { put_number(number << 3 | static_cast<uint64_t>(type)); }
  void put_number(uint64_t value) {
    for (; value >= 0x80; value >>= 7) out_.put(static_cast<uint8_t>(value | 0x80));
    out_.put(static_cast<uint8_t>(value));
  }

  ByteWriter out_;
};

}  // namespace quintet::sentencepiece
