#include "bindings/outcome.h"

namespace quintet::js {

std::string name_of(Code code) {
  switch (code) {
    case Code::format:
      return "FORMAT";
    case Code::unsupported:
      return "UNSUPPORTED";
    case Code::io:
      return "IO";
    case Code::aborted:
      return "ABORTED";
    case Code::memory:
      return "MEMORY";
    case Code::input:
      return "INPUT";
    case Code::closed:
      return "CLOSED";
    case Code::internal:
      return "INTERNAL";
  }
  return "INTERNAL";
}

std::string name_of(Reason reason) {
  switch (reason) {
    case Reason::truncated:
      return "truncated";
    case Reason::bad_magic:
      return "bad_magic";
    case Reason::bad_version:
      return "bad_version";
    case Reason::checksum:
      return "checksum";
    case Reason::limit:
      return "limit";
    case Reason::malformed:
      return "malformed";
    case Reason::mismatch:
      return "mismatch";
    case Reason::duplicate:
      return "duplicate";
    case Reason::invalid_utf8:
      return "invalid_utf8";
    case Reason::trailing:
      return "trailing";
    case Reason::missing:
      return "missing";
    case Reason::unknown_value:
      return "unknown_value";
    case Reason::unsupported:
      return "unsupported";
    case Reason::out_of_range:
      return "out_of_range";
    case Reason::out_of_memory:
      return "out_of_memory";
  }
  return "malformed";
}

val success(val value) {
  val out = val::object();
  out.set("ok", true);
  out.set("value", value);
  return out;
}

val failure(const Error& error) {
  val out = val::object();
  out.set("ok", false);
  out.set("code", name_of(error.code));
  out.set("reason", name_of(error.reason));
  // The message must contain the name of the tensor, which shows where to look.
  const bool named = error.tensor.empty() || error.detail.find(error.tensor) != std::string::npos;
  out.set("message", named ? error.detail : formatted("{}: {}", error.tensor, error.detail));
  if (error.offset) out.set("offset", static_cast<double>(*error.offset));  // exact below 2^53
  if (!error.format.empty()) out.set("format", error.format);
  if (!error.tensor.empty()) out.set("tensor", error.tensor);
  return out;
}

val float32_array(std::span<const float> values) {
  return val::global("Float32Array").new_(emscripten::typed_memory_view(values.size(), values.data()));
}

val int32_array(std::span<const uint32_t> values) {
  return val::global("Int32Array").new_(emscripten::typed_memory_view(values.size(), values.data()));
}

int live_objects() { return Counted::live; }

}  // namespace quintet::js
