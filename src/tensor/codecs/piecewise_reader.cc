#include "tensor/codecs/piecewise_reader.h"

#include <algorithm>
#include <cstring>

namespace quintet {

Status PiecewiseReader::read(Bytes piece) {
  while (!piece.empty()) {
    const size_t step = step_bytes();
    if (step == 0) {
      return fail(
          {.code = Code::format, .reason = Reason::trailing, .detail = "the payload goes on behind its last value"});
    }
    if (cut_size_ == 0 && piece.size() >= step) {
      QUINTET_TRY(const size_t used, take(piece));
      piece = piece.subspan(used);
      continue;
    }
    const size_t missing = std::min(step - cut_size_, piece.size());
    std::memcpy(cut_.data() + cut_size_, piece.data(), missing);
    cut_size_ += missing;
    piece = piece.subspan(missing);
    if (cut_size_ < step) return {};
    cut_size_ = 0;
    QUINTET_CHECK(take(Bytes(cut_).first(step)));
  }
  return {};
}

Status PiecewiseReader::read_end() const {
  if (step_bytes() == 0) return {};
  return fail({.code = Code::format, .reason = Reason::truncated, .detail = "the payload ends before its last value"});
}

}  // namespace quintet
