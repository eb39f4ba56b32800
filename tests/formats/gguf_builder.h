#pragma once
// Writes GGUF files for the tests, after the format's specification and with nothing of the library.

#include <string>
#include <string_view>
#include <vector>

#include "tests/formats/reading.h"

namespace quintet::test {

// Values one after another, little-endian.
class GgufBytes {
 public:
  template <class T>
  GgufBytes& number(T value) {
    return raw({reinterpret_cast<const char*>(&value), sizeof(value)});
  }
  GgufBytes& raw(std::string_view text);
  GgufBytes& string(std::string_view text);  // after its length
  GgufBytes& zeros_to(size_t alignment);

  File bytes;
};

enum GgufType : uint32_t {
  kGgufU8,
  kGgufI8,
  kGgufU16,
  kGgufI16,
  kGgufU32,
  kGgufI32,
  kGgufF32,
  kGgufBool,
  kGgufString,
  kGgufArray,
  kGgufU64,
  kGgufI64,
  kGgufF64
};

class GgufBuilder {
 public:
  uint32_t version = 3;
  size_t alignment = 32;     // of the data; general.alignment is not written by itself
  bool pads_the_end = true;  // after the last tensor

  // Bytes of a value of that type.
  GgufBuilder& value(std::string_view key, uint32_t type, const GgufBytes& value);
  GgufBuilder& text(std::string_view key, std::string_view text);
  GgufBuilder& u32(std::string_view key, uint32_t number);
  GgufBuilder& f32(std::string_view key, float number);
  GgufBuilder& strings(std::string_view key, const std::vector<std::string>& strings);
  GgufBuilder& floats(std::string_view key, const std::vector<float>& numbers);
  GgufBuilder& ints(std::string_view key, const std::vector<int32_t>& numbers);

  // Dimensions as in the file, the innermost first.
  GgufBuilder& tensor(std::string_view name, const std::vector<uint64_t>& dimensions, uint32_t type, const File& data);
  // Like the function above, with `offset` instead of the one that fits.
  GgufBuilder& tensor_at(uint64_t offset, std::string_view name, const std::vector<uint64_t>& dimensions, uint32_t type,
                         const File& data);

  File build() const;

 private:
  uint64_t values_ = 0, tensors_ = 0;
  GgufBytes metadata_, index_, data_;
};

// A Llama model of one layer in F32, with a vocabulary of 8 pieces: 4 heads of 4 with 2 for keys and values, width 16.
GgufBuilder tiny_gguf_llama();

// Bytes 0, 1, 2 and so on.
File counting_bytes(size_t count);

// The place where `text`, which must be in the file, begins.
size_t place_of(const File& file, std::string_view text);

}  // namespace quintet::test
