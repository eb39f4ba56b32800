#include "models/experts_sink.h"

#include <algorithm>

namespace quintet {

Status ExpertsSink::write(Bytes piece) {
  while (!piece.empty()) {
    if (!sink_) {
      QUINTET_TRY(sink_, make_sink(expert_));
    }
    const Bytes part = piece.first(static_cast<size_t>(std::min<uint64_t>(piece.size(), share_ - written_)));
    QUINTET_CHECK(sink_->write(part));
    piece = piece.subspan(part.size());
    written_ += part.size();
    if (written_ == share_) QUINTET_CHECK(end_share());
  }
  return {};
}

Status ExpertsSink::end_share() {
  const std::unique_ptr<ByteSink> sink = std::move(sink_);
  written_ = 0;
  ++expert_;
  return sink->finish();
}

}  // namespace quintet
