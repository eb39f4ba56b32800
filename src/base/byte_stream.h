#pragma once
// The input of a parser: bytes that arrive in chunks of any size, from a source whose length may be unknown.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "base/task.h"

namespace quintet {

class ByteStream {
 public:
  // `total` is the length of the input where it is known. With `seekable` the driver continues at position(),
  // so that skip() costs nothing; without, skipped bytes are fed as well.
  explicit ByteStream(std::optional<uint64_t> total, bool seekable = false) : total_(total), seekable_(seekable) {}
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;

  // --- for parsers; each is awaited

  class Request;
  // Exactly n bytes in one piece, valid until the next request. Copied only where a chunk's end cuts them; what
  // is set aside grows with the bytes that really arrive.
  Request bytes(uint64_t n);
  // Between 1 and `most` bytes, whatever is at hand, without a copy; for data that flows on into a sink.
  Request some(uint64_t most);
  // Moves n bytes on; gives an empty range.
  Request skip(uint64_t n);
  // The next n bytes, fewer only where the input ends before; they are not consumed.
  Request peek(uint64_t n = 1);

  uint64_t offset() const { return offset_; }  // of the next byte that a request gives
  std::optional<uint64_t> total() const { return total_; }
  // Bytes that the input still holds where its length is known, else the largest number.
  uint64_t remaining() const { return total_ ? *total_ - offset_ : UINT64_MAX; }
  // Whether the input's length is known, so that a size within remaining() is no lie.
  bool length_known() const { return total_.has_value(); }

  // --- for the driver

  // Hands over the next chunk (which stays the caller's) and runs the parser until it wants more.
  void feed(Bytes chunk);
  // No more bytes will come.
  void end();
  // Where the next chunk must begin.
  uint64_t position() const { return offset_ + held(); }

 private:
  enum class Kind : uint8_t { bytes, some, skip, peek };

  // Tries to answer the request from what is at hand; nothing where more input is needed.
  std::optional<Result<Bytes>> answer(Kind kind, uint64_t& n);
  std::optional<Result<Bytes>> answer_bytes(uint64_t n);
  std::optional<Result<Bytes>> answer_some(uint64_t most);
  std::optional<Result<Bytes>> answer_skip(uint64_t& n);
  std::optional<Result<Bytes>> answer_peek(uint64_t n);
  // Brings up to n bytes in one piece to the front; false where the chunk's end is reached before.
  bool gather(uint64_t n);
  Bytes front() const;  // the bytes that come next, as far as they lie in one piece
  Bytes consume(size_t n);
  size_t held() const { return gathered_.size() - gathered_used_; }
  std::unexpected<Error> truncated(uint64_t wanted) const;
  void resume_waiting();

  std::optional<uint64_t> total_;
  bool seekable_;
  bool ended_ = false;
  uint64_t offset_ = 0;
  // The next bytes are those of gathered_ from gathered_used_ on, then those of chunk_.
  Bytes chunk_;                      // what is left of the current chunk
  std::vector<std::byte> gathered_;  // set aside for a request that a chunk's end cut
  size_t gathered_used_ = 0;         // bytes of gathered_ that were given out already
  Request* waiting_ = nullptr;       // the request that the parser is suspended in
  WaitingTask parser_;
};

class [[nodiscard]] ByteStream::Request {
 public:
  bool await_ready() {
    answer_ = stream_.answer(kind_, n_);
    return answer_.has_value();
  }
  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> parser) {
    stream_.waiting_ = this;
    stream_.parser_.wait(parser.promise());
  }
  Result<Bytes> await_resume() { return std::move(*answer_); }

 private:
  friend class ByteStream;
  Request(ByteStream& stream, Kind kind, uint64_t n) : stream_(stream), kind_(kind), n_(n) {}

  ByteStream& stream_;
  Kind kind_;
  uint64_t n_;  // still wanted
  std::optional<Result<Bytes>> answer_;
};

}  // namespace quintet
