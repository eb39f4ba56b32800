#pragma once
// Appends protobuf fields to a message.

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/byte_writer.h"
#include "formats/sentencepiece/protobuf_reader.h"

namespace quintet::sentencepiece {

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
