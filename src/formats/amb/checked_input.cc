#include "formats/amb/checked_input.h"

#include <algorithm>

namespace quintet::amb {

Parse<Bytes> CheckedInput::take(uint64_t n) {
  QUINTET_CO_TRY(const Bytes bytes, co_await in_.bytes(n));
  if (counts_) crc_.update(bytes);
  co_return bytes;
}

Parse<Bytes> CheckedInput::look(uint64_t n) {
  QUINTET_CO_TRY(const Bytes bytes, co_await in_.peek(n));
  if (bytes.size() == n) co_return bytes;
  co_return co_await in_.bytes(n);  // reports where the input ends
}

Parse<void> CheckedInput::pass(uint64_t n, ByteSink* sink) {
  if (!sink && !counts_) {
    QUINTET_CO_CHECK(co_await in_.skip(n));
    co_return Status();
  }
  while (n != 0) {
    QUINTET_CO_TRY(const Bytes piece, co_await in_.some(n));
    n -= piece.size();
    if (counts_) crc_.update(piece);
    if (sink) QUINTET_CO_CHECK(sink->write(piece));
  }
  co_return Status();
}

Parse<void> CheckedInput::pass_zeros(uint64_t n) {
  const uint64_t at = offset();
  QUINTET_CO_TRY(const Bytes zeros, co_await take(n));
  const auto bad = std::ranges::find_if(zeros, [](std::byte byte) { return byte != std::byte{0}; });
  if (bad == zeros.end()) co_return Status();
  co_return format_error(Reason::malformed, at + static_cast<uint64_t>(bad - zeros.begin()),
                         "the padding has a byte that is not 0");
}

}  // namespace quintet::amb
