#include "base/byte_stream.h"

#include <algorithm>
#include <string>

namespace quintet {

ByteStream::Request ByteStream::bytes(uint64_t n) { return Request(*this, Kind::bytes, n); }
ByteStream::Request ByteStream::some(uint64_t most) { return Request(*this, Kind::some, most); }
ByteStream::Request ByteStream::skip(uint64_t n) { return Request(*this, Kind::skip, n); }
ByteStream::Request ByteStream::peek() { return Request(*this, Kind::peek, 1); }

void ByteStream::feed(Bytes chunk) {
  chunk_ = chunk;
  resume_waiting();
  // What the parser did not use is kept only while it waits in the middle of a request, which took it all.
  chunk_ = {};
}

void ByteStream::end() {
  ended_ = true;
  total_ = position();
  resume_waiting();
}

std::optional<Result<Bytes>> ByteStream::answer(Kind kind, uint64_t& n) {
  // What an earlier request was given from gathered_ is no longer referred to.
  if (gathered_used_ == gathered_.size()) {
    gathered_.clear();
    gathered_used_ = 0;
  }
  switch (kind) {
    case Kind::bytes:
      return answer_bytes(n);
    case Kind::skip:
      return answer_skip(n);
    case Kind::peek:
      if (chunk_.empty() && !ended_) return std::nullopt;
      return chunk_.first(std::min<size_t>(chunk_.size(), 1));
    case Kind::some:
      if (n > remaining() && remaining() == 0) return truncated(n);
      if (chunk_.empty()) return ended_ ? std::optional<Result<Bytes>>(truncated(n)) : std::nullopt;
      return consume(static_cast<size_t>(std::min<uint64_t>(n, chunk_.size())));
  }
  return truncated(n);
}

std::optional<Result<Bytes>> ByteStream::answer_bytes(uint64_t n) {
  if (n > remaining()) return truncated(n);
  if (gathered_.empty() && chunk_.size() >= n) return consume(static_cast<size_t>(n));
  const uint64_t missing = n - gathered_.size();
  const size_t taken = static_cast<size_t>(std::min<uint64_t>(missing, chunk_.size()));
  gathered_.insert(gathered_.end(), chunk_.begin(), chunk_.begin() + static_cast<std::ptrdiff_t>(taken));
  chunk_ = chunk_.subspan(taken);
  if (gathered_.size() < n) return ended_ ? std::optional<Result<Bytes>>(truncated(n)) : std::nullopt;
  offset_ += n;
  gathered_used_ = gathered_.size();
  return Bytes(gathered_);
}

std::optional<Result<Bytes>> ByteStream::answer_skip(uint64_t& n) {
  if (n > remaining()) return truncated(n);
  const uint64_t taken = seekable_ ? n : std::min<uint64_t>(n, chunk_.size());
  chunk_ = chunk_.subspan(static_cast<size_t>(std::min<uint64_t>(taken, chunk_.size())));
  offset_ += taken;
  n -= taken;
  if (n == 0) return Bytes();
  return ended_ ? std::optional<Result<Bytes>>(truncated(n)) : std::nullopt;
}

Result<Bytes> ByteStream::consume(size_t n) {
  const Bytes taken = chunk_.first(n);
  chunk_ = chunk_.subspan(n);
  offset_ += n;
  return taken;
}

std::unexpected<Error> ByteStream::truncated(uint64_t wanted) const {
  const uint64_t end = total_.value_or(position());
  return format_error(Reason::truncated, std::min(offset_, end),
                      "expected " + std::to_string(wanted) + " bytes, the file ends " +
                          std::to_string(end - std::min(offset_, end)) + " bytes on");
}

void ByteStream::resume_waiting() {
  while (waiting_ != nullptr) {
    Request& request = *waiting_;
    request.answer_ = answer(request.kind_, request.n_);
    if (!request.answer_) return;
    waiting_ = nullptr;
    ParsePromiseBase* parser = std::exchange(waiting_parser_, nullptr);
    parser->self.resume();
    // A parser that has finished hands its result to the one that waits for it.
    while (waiting_ == nullptr && parser->self.done() && parser->parent != nullptr) {
      parser = parser->parent;
      parser->self.resume();
    }
  }
}

}  // namespace quintet
