#pragma once
// The input of a parser: bytes that arrive in chunks of any size. The length of the source may be unknown.

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
  // `total` is the length of the input if it is known. With `seekable` the driver continues at position(),
  // so that skip() costs nothing; without, skipped bytes are fed as well.
  explicit ByteStream(std::optional<uint64_t> total, bool seekable = false) : total_(total), seekable_(seekable) {}
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;

  // --- for parsers; each is awaited

  class Request;
  // Exactly n bytes in one piece, valid until the next request. They are only copied if the end of a chunk splits them;
  // the copy grows with the bytes that actually arrive.
  Request bytes(uint64_t n);
  // All available bytes, between 1 and `max`, without copying. For data that is passed on to a sink.
  Request some(uint64_t max);
  // Skips n bytes; returns an empty range.
  Request skip(uint64_t n);
  // The next n bytes, fewer only at the end of the input. They are not consumed.
  Request peek(uint64_t n = 1);

  uint64_t offset() const { return offset_; }  // of the next byte
  std::optional<uint64_t> total() const { return total_; }
  // Number of bytes left in the input if its length is known, else the largest number.
  uint64_t remaining() const { return total_ ? *total_ - offset_ : UINT64_MAX; }
  // Whether the length of the input is known, so that a size within remaining() is real.
  bool length_known() const { return total_.has_value(); }

  // --- for the driver

  // Passes the next chunk, which belongs to the caller, and runs the parser until it needs more.
  void feed(Bytes chunk);
  // Ends the input.
  void end();
  // The position at which the next chunk must start.
  uint64_t position() const { return offset_ + held(); }

 private:
  enum class Kind : uint8_t { bytes, some, skip, peek };

  // Tries to answer the request from the available bytes; nothing if more input is needed.
  std::optional<Result<Bytes>> answer(Kind kind, uint64_t& n);
  std::optional<Result<Bytes>> answer_bytes(uint64_t n);
  std::optional<Result<Bytes>> answer_some(uint64_t max);
  std::optional<Result<Bytes>> answer_skip(uint64_t& n);
  std::optional<Result<Bytes>> answer_peek(uint64_t n);
  // Moves up to n bytes in one piece to the front; false if the end of the chunk is reached before.
  bool gather(uint64_t n);
  Bytes front() const;  // the next bytes, as far as they are contiguous
  Bytes consume(size_t n);
  size_t held() const { return gathered_.size() - gathered_used_; }
  Failure truncated(uint64_t wanted) const;
  void resume_waiting();

  std::optional<uint64_t> total_;
  bool seekable_;
  bool ended_ = false;
  uint64_t offset_ = 0;
  // The next bytes are in gathered_ from gathered_used_ on, then in chunk_.
  Bytes chunk_;                      // the rest of the current chunk
  std::vector<std::byte> gathered_;  // the start of a request that was split by the end of a chunk
  size_t gathered_used_ = 0;         // bytes of gathered_ that were already used
  Request* waiting_ = nullptr;       // the request in which the parser is suspended
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
  uint64_t n_;  // still needed
  std::optional<Result<Bytes>> answer_;
};

}  // namespace quintet
