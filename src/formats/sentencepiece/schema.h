#pragma once
// The fields of sentencepiece_model.proto (google/sentencepiece) that are read or written.

#include <cstdint>

namespace quintet::sentencepiece {

namespace model {
constexpr uint64_t kPiece = 1, kTrainerSpec = 2, kNormalizerSpec = 3;
}
namespace piece {
constexpr uint64_t kText = 1, kScore = 2, kType = 3;
}
namespace trainer {
constexpr uint64_t kModelType = 3, kVocabSize = 4, kTreatWhitespaceAsSuffix = 24, kByteFallback = 35, kUnkSurface = 44;
constexpr uint64_t kUnkId = 40, kBosId = 41, kEosId = 42, kPadId = 43;
constexpr uint64_t kUnkPiece = 45, kBosPiece = 46, kEosPiece = 47, kPadPiece = 48;
constexpr uint64_t kUnigram = 1, kBpe = 2;  // model types
}  // namespace trainer
namespace normalizer {
constexpr uint64_t kName = 1, kCharacterMap = 2;
constexpr uint64_t kAddDummyPrefix = 3, kRemoveExtraWhitespaces = 4, kEscapeWhitespaces = 5;
}  // namespace normalizer

}  // namespace quintet::sentencepiece
