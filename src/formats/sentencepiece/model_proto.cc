#include "formats/sentencepiece/model_proto.h"

#include <bit>
#include <string>

#include "base/order.h"
#include "base/utf8.h"
#include "formats/sentencepiece/protobuf.h"
#include "formats/sentencepiece/schema.h"

namespace quintet::sentencepiece {
namespace {

// An id in trainer_spec: -1 means none, absent means the default of the schema.
struct StatedId {
  int64_t id;
  std::optional<uint64_t> offset = {};  // if the file contains it
};

class Reader {
 public:
  Reader(Bytes proto, uint64_t base) : proto_(proto), base_(base) {}

  Result<TokenizerDescription> read() {
    FieldReader fields(proto_, base_);
    QUINTET_TRY(auto field, fields.next());
    while (field) {
      if (field->is(model::kPiece)) QUINTET_CHECK(read_piece(*field));
      if (field->is(model::kTrainerSpec)) QUINTET_CHECK(read_trainer_spec(*field));
      if (field->is(model::kNormalizerSpec)) QUINTET_CHECK(read_normalizer_spec(*field));
      QUINTET_TRY(field, fields.next());
    }
    if (tokenizer_.tokens.empty()) return format_error(Reason::missing, base_, "the SentencePiece model has no pieces");
    QUINTET_CHECK(check_unique());
    QUINTET_CHECK(resolve_ids());
    pieces_.proto.assign(proto_.begin(), proto_.end());
    tokenizer_.stored_bytes = proto_.size();
    return std::move(tokenizer_);
  }

 private:
  Status read_piece(const Field& message) {
    QUINTET_CHECK(expect_type(message, WireType::length_delimited));
    std::string_view text;
    float score = 0;
    PieceType type = PieceType::normal;
    FieldReader fields(message.bytes, message.offset);
    QUINTET_TRY(auto field, fields.next());
    while (field) {
      if (field->is(piece::kText)) {
        QUINTET_TRY(text, read_text(*field));
      } else if (field->is(piece::kScore)) {
        QUINTET_CHECK(expect_type(*field, WireType::fixed32));
        score = std::bit_cast<float>(static_cast<uint32_t>(field->value));
      } else if (field->is(piece::kType)) {
        QUINTET_TRY(type, read_piece_type(*field));
      }
      QUINTET_TRY(field, fields.next());
    }
    if (text.empty()) return format_error(Reason::malformed, message.offset, "a piece has no text");
    if (!tokenizer_.tokens.add(text)) return memory_error(StringTable::kMaxBytes);
    pieces_.scores.push_back(score);
    tokenizer_.piece_types.push_back(type);
    piece_places_.push_back(static_cast<size_t>(message.offset - base_));
    return {};
  }

  static Result<std::string_view> read_text(const Field& field) {
    QUINTET_CHECK(expect_type(field, WireType::length_delimited));
    const std::string_view text = as_text(field.bytes);
    if (const auto bad = find_invalid_utf8(text)) {
      return format_error(Reason::invalid_utf8, field.offset + *bad, "a piece is not UTF-8");
    }
    return text;
  }

  static Result<PieceType> read_piece_type(const Field& field) {
    QUINTET_CHECK(expect_type(field, WireType::varint));
    if (field.value < static_cast<uint64_t>(PieceType::normal) ||
        field.value > static_cast<uint64_t>(PieceType::byte)) {
      return format_error(Reason::unknown_value, field.offset, "piece type {}, expected 1 to 6", field.value);
    }
    return static_cast<PieceType>(field.value);
  }

  Status read_trainer_spec(const Field& message) {
    QUINTET_CHECK(expect_type(message, WireType::length_delimited));
    FieldReader fields(message.bytes, message.offset);
    QUINTET_TRY(auto field, fields.next());
    while (field) {
      if (StatedId* stated = id_of(field->number)) {
        QUINTET_CHECK(expect_type(*field, WireType::varint));
        *stated = {static_cast<int32_t>(field->value), field->offset};
      } else if (field->is(trainer::kModelType)) {
        QUINTET_CHECK(check_model_type(*field));
      }
      QUINTET_TRY(field, fields.next());
    }
    return {};
  }

  StatedId* id_of(uint64_t number) {
    switch (number) {
      case trainer::kUnkId:
        return &unk_;
      case trainer::kBosId:
        return &bos_;
      case trainer::kEosId:
        return &eos_;
      case trainer::kPadId:
        return &pad_;
      default:
        return nullptr;
    }
  }

  static Status check_model_type(const Field& field) {
    QUINTET_CHECK(expect_type(field, WireType::varint));
    if (field.value == trainer::kUnigram || field.value == trainer::kBpe) return {};
    return unsupported_at(field.offset, "a SentencePiece model of type {}, only unigram (1) and BPE (2) are supported",
                          field.value);
  }

  // The tokenizer interprets its content; this reader only checks that it is a message.
  static Status read_normalizer_spec(const Field& message) {
    QUINTET_CHECK(expect_type(message, WireType::length_delimited));
    FieldReader fields(message.bytes, message.offset);
    QUINTET_TRY(auto field, fields.next());
    while (field) {
      QUINTET_TRY(field, fields.next());
    }
    return {};
  }

  // The official library rejects them too, because a text would have two ids.
  Status check_unique() const {
    std::vector<std::string_view> texts;
    texts.reserve(tokenizer_.tokens.size());
    for (size_t i = 0; i < tokenizer_.tokens.size(); ++i) texts.push_back(tokenizer_.tokens[i]);
    const std::optional<size_t> twice = find_duplicate(texts);
    if (!twice) return {};
    return format_error(Reason::duplicate, base_ + piece_places_[*twice], "the piece \"{}\" occurs twice",
                        texts[*twice]);
  }

  Status resolve_ids() {
    QUINTET_CHECK(resolve(unk_, PieceType::unknown, tokenizer_.special.unk));
    QUINTET_CHECK(resolve(bos_, PieceType::control, tokenizer_.special.bos));
    QUINTET_CHECK(resolve(eos_, PieceType::control, tokenizer_.special.eos));
    return resolve(pad_, PieceType::control, tokenizer_.special.pad);
  }

  // A default only applies if the piece has the right text.
  Status resolve(const StatedId& stated, PieceType type, std::optional<uint32_t>& id) const {
    if (stated.id < 0) return {};
    const auto index = static_cast<uint32_t>(stated.id);
    const bool exists = index < tokenizer_.tokens.size();
    if (!stated.offset && !(exists && tokenizer_.piece_types[index] == type)) return {};
    if (!exists) {
      return format_error(Reason::limit, *stated.offset, "special id {} in a model of {} pieces", index,
                          tokenizer_.tokens.size());
    }
    id = index;
    return {};
  }

  Bytes proto_;
  uint64_t base_;
  TokenizerDescription tokenizer_;
  SentencePieceDescription& pieces_ = tokenizer_.kind.emplace<SentencePieceDescription>();
  std::vector<size_t> piece_places_;  // relative to the start of the proto
  StatedId unk_{0}, bos_{1}, eos_{2}, pad_{-1};
};

}  // namespace

Result<TokenizerDescription> read_model_proto(Bytes proto, uint64_t base) { return Reader(proto, base).read(); }

}  // namespace quintet::sentencepiece
