#include "formats/sentencepiece/protobuf.h"

#include <string>

namespace quintet::sentencepiece {
namespace {

constexpr int kMaxVarintBytes = 10;
constexpr uint64_t kMaxFieldNumber = (1u << 29) - 1;

template <class... Values>
QUINTET_INLINE Failure malformed(uint64_t offset, Pattern<sizeof...(Values)> detail, const Values&... values) {
  return format_error(Reason::malformed, offset, "protobuf: {}", formatted(detail, values...));
}

}  // namespace

Result<uint64_t> FieldReader::varint() {
  const uint64_t begin = reader_.offset();
  uint64_t value = 0;
  for (int i = 0; i < kMaxVarintBytes; ++i) {
    QUINTET_TRY(const uint8_t byte, reader_.read<uint8_t>());
    value |= static_cast<uint64_t>(byte & 0x7F) << (7 * i);
    const bool last = byte < 0x80;
    if (i == kMaxVarintBytes - 1 && byte > 1) break;  // beyond 64 bits
    if (last) return value;
  }
  return malformed(begin, "a number of more than 64 bits");
}

Result<std::optional<Field>> FieldReader::next() {
  if (reader_.remaining() == 0) return std::nullopt;
  const uint64_t begin = reader_.offset();
  QUINTET_TRY(const uint64_t tag, varint());
  Field field;
  field.number = tag >> 3;
  if (field.number == 0 || field.number > kMaxFieldNumber) {
    return malformed(begin, "field number {}", field.number);
  }
  field.type = static_cast<WireType>(tag & 7);
  field.offset = reader_.offset();
  switch (field.type) {
    case WireType::varint: {
      QUINTET_TRY(field.value, varint());
      return field;
    }
    case WireType::fixed64: {
      QUINTET_TRY(field.value, reader_.read<uint64_t>());
      return field;
    }
    case WireType::fixed32: {
      QUINTET_TRY(field.value, reader_.read<uint32_t>());
      return field;
    }
    case WireType::length_delimited: {
      QUINTET_TRY(const uint64_t length, varint());
      if (length > reader_.remaining()) {
        return format_error(Reason::truncated, field.offset, "protobuf: a field of {} bytes, but only {} are left",
                            length, reader_.remaining());
      }
      field.offset = reader_.offset();
      QUINTET_TRY(field.bytes, reader_.bytes(length));
      return field;
    }
  }
  return malformed(begin, "wire type {}", tag & 7);
}

Status expect_type(const Field& field, WireType type) {
  if (field.type == type) return {};
  return malformed(field.offset, "field {} has wire type {}, not {}", field.number, static_cast<int>(field.type),
                   static_cast<int>(type));
}

}  // namespace quintet::sentencepiece
