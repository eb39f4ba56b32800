#pragma once
// The fixed parts of a GGUF file. All numbers are little-endian.

#include <cstdint>
#include <string_view>

namespace quintet::gguf {

constexpr std::string_view kMagic = "GGUF";
constexpr uint32_t kOldestVersion = 2;  // version 1 counts in 32 bits
constexpr uint32_t kNewestVersion = 3;

constexpr uint64_t kHeaderBytes = 24;
namespace header_at {
constexpr uint64_t kVersion = 4;      // u32
constexpr uint64_t kTensorCount = 8;  // u64
constexpr uint64_t kValueCount = 16;  // u64
}  // namespace header_at

constexpr uint64_t kLengthBytes = 8;  // of a string or an array, before it
constexpr uint64_t kTypeBytes = 4;    // of a value or a tensor
constexpr uint64_t kMaxKeyBytes = 65'535;
constexpr uint32_t kMaxDimensions = 4;  // as in ggml

// The minimum size of an entry: a key of one letter with a value of one byte, a tensor with a name of one letter and no
// dimensions.
constexpr uint64_t kMinValueBytes = kLengthBytes + 1 + kTypeBytes + 1;
constexpr uint64_t kMinTensorBytes = kLengthBytes + 1 + sizeof(uint32_t) + kTypeBytes + sizeof(uint64_t);

constexpr std::string_view kAlignmentKey = "general.alignment";
constexpr uint64_t kDefaultAlignment = 32;
constexpr uint64_t kMinAlignment = 8;

enum class ValueType : uint32_t { u8, i8, u16, i16, u32, i32, f32, boolean, string, array, u64, i64, f64 };
constexpr uint32_t kValueTypes = 13;

}  // namespace quintet::gguf
