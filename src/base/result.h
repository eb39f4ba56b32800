#pragma once
// Errors are values. The core is built with -fno-exceptions: in JavaScript, a C++ exception would be a bare pointer
// without code or offset. So nothing here or above throws.

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

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
  std::string detail = {};              // what was expected and what was found, for people
  std::optional<uint64_t> offset = {};  // byte offset in the input
  std::string format = {};              // name of the file format, if a file is being read
  std::string tensor = {};              // name of the tensor concerned, if there is one
};

template <class T>
using Result = std::expected<T, Error>;
using Status = Result<void>;

// An error being returned: it is moved into the caller's result without a temporary. Every check of every reader
// contains this code, so its size matters for the download.
template <class E>
class Passed {
 public:
  explicit Passed(E& error) : error_(error) {}
  E&& take() const { return std::move(error_); }

  template <class T>
  operator std::expected<T, E>() const {
    return std::expected<T, E>(std::unexpect, take());
  }

 private:
  E& error_;
};

// The format is added to the errors of a reader in one place, so that helpers need not know it.
inline Error in_format(Error error, std::string_view format) {
  if (error.format.empty()) error.format = format;
  return error;
}

inline Error in_tensor(Error error, std::string_view tensor) {
  if (error.tensor.empty()) error.tensor = tensor;
  return error;
}

inline std::unexpected<Error> fail(Error error) { return std::unexpected(std::move(error)); }

// The file breaks a rule of its format, at this offset.
inline std::unexpected<Error> format_error(Reason reason, uint64_t offset, std::string detail) {
  return fail({.code = Code::format, .reason = reason, .detail = std::move(detail), .offset = offset});
}

// An argument of the caller is invalid.
inline std::unexpected<Error> input_error(Reason reason, std::string detail) {
  return fail({.code = Code::input, .reason = reason, .detail = std::move(detail)});
}

inline std::unexpected<Error> unsupported_error(std::string detail, std::optional<uint64_t> offset = std::nullopt) {
  return fail(
      {.code = Code::unsupported, .reason = Reason::unknown_value, .detail = std::move(detail), .offset = offset});
}

inline std::unexpected<Error> memory_error(uint64_t bytes) {
  return fail({.code = Code::memory,
               .reason = Reason::out_of_memory,
               .detail = "cannot allocate " + std::to_string(bytes) + " bytes"});
}

}  // namespace quintet

#define QUINTET_CONCAT_(a, b) a##b
#define QUINTET_CONCAT(a, b) QUINTET_CONCAT_(a, b)

// QUINTET_TRY(auto n, reader.u32());  -- declares n, or returns the error to the caller.
#define QUINTET_TRY(declaration, expression) \
  QUINTET_TRY_(QUINTET_CONCAT(quintet_try_, __LINE__), declaration, expression)
#define QUINTET_TRY_(temporary, declaration, expression)       \
  auto temporary = (expression);                               \
  if (!temporary) return ::quintet::Passed(temporary.error()); \
  declaration = std::move(*temporary)

// QUINTET_CHECK(reader.skip(4));  -- goes on, or returns the error to the caller.
#define QUINTET_CHECK(expression)                                                                              \
  do {                                                                                                         \
    if (auto quintet_status = (expression); !quintet_status) return ::quintet::Passed(quintet_status.error()); \
  } while (false)
