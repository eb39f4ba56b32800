#include "base/error.h"

namespace quintet {

ErrorPointer::ErrorPointer(Error error) : error_(new Error(std::move(error))) {}

ErrorPointer::ErrorPointer(const ErrorPointer& other) : error_(other.error_ ? new Error(*other.error_) : nullptr) {}

void ErrorPointer::destroy(Error* error) { delete error; }

Error in_format(Error error, std::string_view format) {
  if (error.format.empty()) error.format = format;
  return error;
}

Error in_tensor(Error error, std::string_view tensor) {
  if (error.tensor.empty()) error.tensor = tensor;
  return error;
}

Failure fail(Error error) { return Failure(ErrorPointer(std::move(error))); }

Failure format_error(Reason reason, uint64_t offset, std::string detail) {
  return fail({.code = Code::format, .reason = reason, .detail = std::move(detail), .offset = offset});
}

Failure input_error(Reason reason, std::string detail) {
  return fail({.code = Code::input, .reason = reason, .detail = std::move(detail)});
}

Failure unsupported_error(std::string detail, std::optional<uint64_t> offset) {
  return fail(
      {.code = Code::unsupported, .reason = Reason::unknown_value, .detail = std::move(detail), .offset = offset});
}

Failure memory_error(uint64_t bytes) {
  return fail({.code = Code::memory,
               .reason = Reason::out_of_memory,
               .detail = "cannot allocate " + std::to_string(bytes) + " bytes"});
}

}  // namespace quintet
