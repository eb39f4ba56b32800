#include "formats/gguf/value_type.h"

#include <array>

#include "base/byte_reader.h"

namespace quintet::gguf {
namespace {

struct Facts {
  std::string_view name;
  uint8_t bytes;
};

constexpr std::array<Facts, kValueTypes> kFacts = {{{"uint8", 1},
                                                    {"int8", 1},
                                                    {"uint16", 2},
                                                    {"int16", 2},
                                                    {"uint32", 4},
                                                    {"int32", 4},
                                                    {"float32", 4},
                                                    {"bool", 1},
                                                    {"string", 0},
                                                    {"array", 0},
                                                    {"uint64", 8},
                                                    {"int64", 8},
                                                    {"float64", 8}}};

}  // namespace

std::string_view name_of(ValueType type) { return kFacts[static_cast<size_t>(type)].name; }

uint64_t bytes_of(ValueType type) { return kFacts[static_cast<size_t>(type)].bytes; }

std::optional<Json> number_at(ValueType type, Bytes bytes) {
  switch (type) {
    case ValueType::u8:
      return Json(uint64_t{load_le<uint8_t>(bytes, 0)});
    case ValueType::i8:
      return Json(int64_t{load_le<int8_t>(bytes, 0)});
    case ValueType::u16:
      return Json(uint64_t{load_le<uint16_t>(bytes, 0)});
    case ValueType::i16:
      return Json(int64_t{load_le<int16_t>(bytes, 0)});
    case ValueType::u32:
      return Json(uint64_t{load_le<uint32_t>(bytes, 0)});
    case ValueType::i32:
      return Json(int64_t{load_le<int32_t>(bytes, 0)});
    case ValueType::f32:
      return Json(double{load_le<float>(bytes, 0)});
    case ValueType::u64:
      return Json(load_le<uint64_t>(bytes, 0));
    case ValueType::i64:
      return Json(load_le<int64_t>(bytes, 0));
    case ValueType::f64:
      return Json(load_le<double>(bytes, 0));
    case ValueType::boolean: {
      const auto truth = load_le<uint8_t>(bytes, 0);
      if (truth <= 1) return Json(truth == 1);
      break;
    }
    case ValueType::string:
    case ValueType::array:
      break;
  }
  return std::nullopt;
}

}  // namespace quintet::gguf
