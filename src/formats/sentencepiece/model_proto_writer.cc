#include <string>

#include "formats/sentencepiece/model_proto.h"
#include "formats/sentencepiece/protobuf.h"
#include "formats/sentencepiece/schema.h"

namespace quintet::sentencepiece {
namespace {

Status check_lists(const TokenizerDescription& tokenizer) {
  const SentencePieceDescription* description = tokenizer.sentencepiece();
  if (!description) {
    return input_error(Reason::mismatch, "only SentencePiece tokenizers have a ModelProto");
  }
  const size_t pieces = tokenizer.tokens.size();
  if (pieces == 0) return input_error(Reason::missing, "the SentencePiece tokenizer has no pieces");
  if (description->scores.size() == pieces && tokenizer.piece_types.size() == pieces) return {};
  return input_error(Reason::mismatch, "{} pieces, {} scores and {} types", pieces, description->scores.size(),
                     tokenizer.piece_types.size());
}

MessageWriter piece_message(const TokenizerDescription& tokenizer, size_t index) {
  MessageWriter message;
  message.put_text(piece::kText, tokenizer.tokens[index]);
  message.put_float(piece::kScore, tokenizer.sentencepiece()->scores[index]);
  const PieceType type = tokenizer.piece_types[index];
  if (type != PieceType::normal) message.put_varint(piece::kType, static_cast<uint64_t>(type));
  return message;
}

bool has_byte_pieces(const TokenizerDescription& tokenizer) {
  for (const PieceType type : tokenizer.piece_types) {
    if (type == PieceType::byte) return true;
  }
  return false;
}

struct SpecialField {
  uint64_t id_field, piece_field;
  std::optional<uint32_t> id;
};

Result<MessageWriter> trainer_message(const TokenizerDescription& tokenizer) {
  const SpecialIds& special = tokenizer.special;
  const SpecialField fields[] = {{trainer::kUnkId, trainer::kUnkPiece, special.unk},
                                 {trainer::kBosId, trainer::kBosPiece, special.bos},
                                 {trainer::kEosId, trainer::kEosPiece, special.eos},
                                 {trainer::kPadId, trainer::kPadPiece, special.pad}};
  MessageWriter message;
  message.put_varint(trainer::kModelType, trainer::kBpe);
  message.put_varint(trainer::kVocabSize, tokenizer.tokens.size());
  message.put_varint(trainer::kByteFallback, has_byte_pieces(tokenizer));
  // A negative int32 is written as 64 bits.
  for (const auto& [field, piece, id] : fields) {
    message.put_varint(field, id ? uint64_t{*id} : static_cast<uint64_t>(int64_t{-1}));
  }
  for (const auto& [field, piece, id] : fields) {
    if (!id) continue;
    if (*id >= tokenizer.tokens.size()) {
      return input_error(Reason::out_of_range, "special id {} is not the id of a piece", *id);
    }
    message.put_text(piece, tokenizer.tokens[*id]);  // the official library finds them by their text
  }
  return message;
}

// Text is unchanged, except for spaces written as U+2581, and one in front.
MessageWriter normalizer_message(bool has_prefix) {
  MessageWriter message;
  message.put_text(normalizer::kName, "identity");
  message.put_varint(normalizer::kAddDummyPrefix, has_prefix);
  message.put_varint(normalizer::kRemoveExtraWhitespaces, 0);
  message.put_varint(normalizer::kEscapeWhitespaces, 1);
  return message;
}

Status check_settings(const SentencePieceSettings& settings) {
  if (settings.model == SentencePieceModel::unigram) {
    return unsupported_error("a unigram tokenizer without a tokenizer.model cannot be written");
  }
  if (settings.splits_words || settings.splits_white_space || settings.remove_extra_whitespaces ||
      !settings.character_map.empty()) {
    return unsupported_error("a tokenizer whose steps are not SentencePiece's cannot be written");
  }
  return {};
}

}  // namespace

Result<std::vector<std::byte>> write_model_proto(const TokenizerDescription& tokenizer) {
  QUINTET_CHECK(check_lists(tokenizer));
  const std::optional<SentencePieceSettings>& settings = tokenizer.sentencepiece()->settings;
  if (settings) QUINTET_CHECK(check_settings(*settings));
  MessageWriter message;
  for (size_t i = 0; i < tokenizer.tokens.size(); ++i) message.put_message(model::kPiece, piece_message(tokenizer, i));
  QUINTET_TRY(const MessageWriter trainer, trainer_message(tokenizer));
  message.put_message(model::kTrainerSpec, trainer);
  message.put_message(model::kNormalizerSpec, normalizer_message(!settings || settings->add_dummy_prefix));
  return message.take();
}

}  // namespace quintet::sentencepiece
