#pragma once
// Converts values between C++ and JavaScript. A Result is { ok: true, value } or { ok: false, code, reason, message,
// offset?, format?, tensor? }, which npm/src/engine/native.ts turns into a thrown QuintetError. C++ itself never
// throws.

#include <emscripten/val.h>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/result.h"

namespace quintet::js {

using emscripten::val;

std::string name_of(Code code);
std::string name_of(Reason reason);

val success(val value = val::undefined());
val failure(const Error& error);

inline val outcome(const Status& status) { return status ? success() : failure(status.error()); }

// Copies data out of the WebAssembly heap. A view would be detached by the next growth of the memory.
val float32_array(std::span<const float> values);
val int32_array(std::span<const uint32_t> values);

// Counts the objects that JavaScript holds, for leak tests. Derive from Counted.
int live_objects();

class Counted {
 public:
  Counted() { ++live; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  ~Counted() { --live; }

 private:
  friend int live_objects();
  inline static int live = 0;
};

// Nothing for numbers that are negative, fractional, or beyond exact integers.
inline std::optional<uint64_t> whole_number(double number) {
  constexpr double kExact = 9007199254740992;  // 2^53
  if (!(number >= 0 && number < kExact)) return std::nullopt;
  const auto whole = static_cast<uint64_t>(number);
  if (static_cast<double>(whole) != number) return std::nullopt;
  return whole;
}

}  // namespace quintet::js
