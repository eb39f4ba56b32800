#include "base/byte_stream.h"

#include <algorithm>
#include <string>
#include <utility>

namespace quintet {

ByteStream::Request ByteStream::bytes(uint64_t n) { return Request(*this, Kind::bytes, n); }
ByteStream::Request ByteStream::some(uint64_t max) { return Request(*this, Kind::some, max); }
ByteStream::Request ByteStream::skip(uint64_t n) { return Request(*this, Kind::skip, n); }
ByteStream::Request ByteStream::peek(uint64_t n) { return Request(*this, Kind::peek, n); }

void ByteStream::feed(Bytes chunk) {
  chunk_ = chunk;
  resume_waiting();
  // Unused bytes are only kept while the parser waits in the middle of a request, which then holds all of them.
  chunk_ = {};
}

void ByteStream::end() {
  ended_ = true;
  total_ = position();
  resume_waiting();
}

std::optional<Result<Bytes>> ByteStream::answer(Kind kind, uint64_t& n) {
  switch (kind) {
    case Kind::bytes:
      return answer_bytes(n);
    case Kind::some:
      return answer_some(n);
    case Kind::skip:
      return answer_skip(n);
    case Kind::peek:
      return answer_peek(n);
  }
  return truncated(n);
}

std::optional<Result<Bytes>> ByteStream::answer_bytes(uint64_t n) {
  if (n > remaining()) return truncated(n);
  if (gather(n)) return consume(static_cast<size_t>(n));
  return ended_ ? std::optional<Result<Bytes>>(truncated(n)) : std::nullopt;
}

std::optional<Result<Bytes>> ByteStream::answer_some(uint64_t max) {
  if (remaining() == 0) return truncated(max);
  if (front().empty()) return ended_ ? std::optional<Result<Bytes>>(truncated(max)) : std::nullopt;
  return consume(static_cast<size_t>(std::min<uint64_t>(max, front().size())));
}

std::optional<Result<Bytes>> ByteStream::answer_skip(uint64_t& n) {
  if (n > remaining()) return truncated(n);
  while (n != 0 && !front().empty()) n -= consume(static_cast<size_t>(std::min<uint64_t>(n, front().size()))).size();
  if (seekable_) offset_ += std::exchange(n, 0);
  if (n == 0) return Bytes();
  return ended_ ? std::optional<Result<Bytes>>(truncated(n)) : std::nullopt;
}

std::optional<Result<Bytes>> ByteStream::answer_peek(uint64_t n) {
  const uint64_t wanted = std::min(n, remaining());
  if (!gather(wanted) && !ended_) return std::nullopt;
  return front().first(static_cast<size_t>(std::min<uint64_t>(wanted, front().size())));
}

bool ByteStream::gather(uint64_t n) {
  if (front().size() >= n) return true;
  gathered_.erase(gathered_.begin(), gathered_.begin() + static_cast<std::ptrdiff_t>(gathered_used_));
  gathered_used_ = 0;
  const size_t taken = static_cast<size_t>(std::min<uint64_t>(n - gathered_.size(), chunk_.size()));
  gathered_.insert(gathered_.end(), chunk_.begin(), chunk_.begin() + static_cast<std::ptrdiff_t>(taken));
  chunk_ = chunk_.subspan(taken);
  return gathered_.size() >= n;
}

Bytes ByteStream::front() const { return held() != 0 ? Bytes(gathered_).subspan(gathered_used_) : chunk_; }

Bytes ByteStream::consume(size_t n) {
  const Bytes taken = front().first(n);
  if (held() != 0) {
    gathered_used_ += n;
  } else {
    chunk_ = chunk_.subspan(n);
  }
  offset_ += n;
  return taken;
}

Failure ByteStream::truncated(uint64_t wanted) const {
  const uint64_t end = total_.value_or(position());
  return format_error(Reason::truncated, std::min(offset_, end), "expected {} bytes, but the file ends after {}",
                      wanted, end - std::min(offset_, end));
}

void ByteStream::resume_waiting() {
  while (waiting_ != nullptr) {
    Request& request = *waiting_;
    request.answer_ = answer(request.kind_, request.n_);
    if (!request.answer_) return;
    waiting_ = nullptr;
    parser_.resume();
  }
}

}  // namespace quintet
