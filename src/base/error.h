#pragma once
// Errors are values. The core is built with -fno-exceptions: in JavaScript, a C++ exception would be a bare pointer
// without code or offset. So nothing here or above throws.

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/formatted.h"

namespace quintet {

// The kind of failure: `QuintetError.code` in JavaScript. Callers switch on it, so rename with care.
enum class Code : uint8_t { format, unsupported, io, aborted, memory, input, closed, internal };

// The exact cause: `QuintetError.reason` in JavaScript.
enum class Reason : uint8_t {
  truncated,      // the input ends too early
  bad_magic,      // the first bytes are those of another kind of file
  bad_version,    // an unsupported version of the format
  checksum,       // a stored checksum does not match the bytes
  limit,          // a count, size or offset is larger than the input allows
  malformed,      // the bytes break a rule of the format
  mismatch,       // two parts of the input contradict each other
  duplicate,      // a name that must be unique occurs twice
  invalid_utf8,   // text that is not UTF-8
  trailing,       // extra bytes after the end of the format
  missing,        // a required part is missing
  unknown_value,  // a value, type or flag that this version does not support
  unsupported,    // a file that the requested class does not support
  out_of_range,   // an argument is out of range
  out_of_memory,  // an allocation failed
};

struct Error {
  Code code = Code::internal;
  Reason reason = Reason::malformed;
  std::string detail = {};              // the expected and the found value, for people
  std::optional<uint64_t> offset = {};  // byte offset in the input
  std::string format = {};              // name of the file format, if a file is being read
  std::string tensor = {};              // name of the tensor concerned, if there is one
};

// Clang passes such a class like its member, in registers; otherwise a class with a destructor lies in memory.
#ifdef __clang__
#define QUINTET_IN_REGISTER [[clang::trivial_abi]]
#else
#define QUINTET_IN_REGISTER
#endif
// Forced inline: code for small modules would call even the smallest functions, and a call would spill the pointer,
// because `this` needs an address.
#define QUINTET_INLINE [[gnu::always_inline]] inline

// An error or none, as a pointer. Every check of every reader returns one, so its size matters for the download.
class QUINTET_IN_REGISTER ErrorPointer {
 public:
  ErrorPointer() = default;
  explicit ErrorPointer(Error error);
  QUINTET_INLINE ErrorPointer(ErrorPointer&& other) noexcept : error_(std::exchange(other.error_, nullptr)) {}
  ErrorPointer(const ErrorPointer& other);
  QUINTET_INLINE ErrorPointer& operator=(ErrorPointer other) noexcept {
    std::swap(error_, other.error_);
    return *this;
  }
  QUINTET_INLINE ~ErrorPointer() {
    if (error_) destroy(error_);
  }

  QUINTET_INLINE explicit operator bool() const { return error_ != nullptr; }
  QUINTET_INLINE Error& operator*() const { return *error_; }

 private:
  static void destroy(Error* error);

  Error* error_ = nullptr;
};

// An error that is being returned: the result of a function becomes one of it.
class Failure {
 public:
  QUINTET_INLINE explicit Failure(ErrorPointer error) : error_(std::move(error)) {}
  QUINTET_INLINE Failure(Failure&&) = default;
  QUINTET_INLINE ~Failure() = default;

  QUINTET_INLINE ErrorPointer take() { return std::move(error_); }
  Error& error() & { return *error_; }
  Error&& error() && { return std::move(*error_); }

 private:
  ErrorPointer error_;
};

// Details that an error lacks are added in one place, so that helpers do without them.
Failure in_format(Failure failure, std::string_view format);
Failure in_tensor(Failure failure, std::string_view tensor);
Failure at_offset(Failure failure, std::optional<uint64_t> offset);

Failure fail(Error error);
Failure fail_with(Code code, Reason reason, const char* pattern, const FieldValue* values);
Failure format_error_of(Reason reason, uint64_t offset, const char* pattern, const FieldValue* values);
Failure unsupported_error_of(const char* pattern, const FieldValue* values);
Failure unsupported_at_of(uint64_t offset, const char* pattern, const FieldValue* values);

template <class... Values>
QUINTET_INLINE Failure fail(Code code, Reason reason, Pattern<sizeof...(Values)> detail, const Values&... values) {
  return fail_with(code, reason, detail.text, std::initializer_list<FieldValue>{values...}.begin());
}

// The file breaks a rule of its format, at this offset.
template <class... Values>
QUINTET_INLINE Failure format_error(Reason reason, uint64_t offset, Pattern<sizeof...(Values)> detail,
                                    const Values&... values) {
  return format_error_of(reason, offset, detail.text, std::initializer_list<FieldValue>{values...}.begin());
}

// An argument of the caller is invalid.
template <class... Values>
QUINTET_INLINE Failure input_error(Reason reason, Pattern<sizeof...(Values)> detail, const Values&... values) {
  return fail_with(Code::input, reason, detail.text, std::initializer_list<FieldValue>{values...}.begin());
}

// This version does not support a feature that an argument or a file asks for, ...
template <class... Values>
QUINTET_INLINE Failure unsupported_error(Pattern<sizeof...(Values)> detail, const Values&... values) {
  return unsupported_error_of(detail.text, std::initializer_list<FieldValue>{values...}.begin());
}

// ... at this offset of the file.
template <class... Values>
QUINTET_INLINE Failure unsupported_at(uint64_t offset, Pattern<sizeof...(Values)> detail, const Values&... values) {
  return unsupported_at_of(offset, detail.text, std::initializer_list<FieldValue>{values...}.begin());
}

Failure memory_error(uint64_t bytes);

}  // namespace quintet
