#pragma once
// The task that an encoder is loaded for, which decides on the head that is read with it.

#include <cstdint>

#include "architectures/encoder/classification_head.h"

namespace quintet {

enum class EncoderTask : uint8_t { embed, rank, classify_texts, classify_tokens };

inline bool is_classification(EncoderTask task) {
  return task == EncoderTask::classify_texts || task == EncoderTask::classify_tokens;
}
inline Classified classified_by(EncoderTask task) {
  return task == EncoderTask::classify_tokens ? Classified::tokens : Classified::texts;
}

}  // namespace quintet
