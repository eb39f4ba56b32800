#include "formats/sentencepiece/settings.h"

#include "formats/sentencepiece/protobuf.h"
#include "formats/sentencepiece/schema.h"

namespace quintet::sentencepiece {
namespace {

Status read_switch(const Field& field, bool& out) {
  QUINTET_CHECK(expect_type(field, WireType::varint));
  out = field.value != 0;
  return {};
}

Status read_string(const Field& field, std::string& out) {
  QUINTET_CHECK(expect_type(field, WireType::length_delimited));
  out = as_text(field.bytes);
  return {};
}

Status take_trainer_field(const Field& field, SentencePieceSettings& out) {
  switch (field.number) {
    case trainer::kModelType:
      QUINTET_CHECK(expect_type(field, WireType::varint));
      out.model = field.value == trainer::kBpe ? SentencePieceModel::bpe : SentencePieceModel::unigram;
      return {};
    case trainer::kByteFallback:
      return read_switch(field, out.byte_fallback);
    case trainer::kTreatWhitespaceAsSuffix:
      return read_switch(field, out.treat_whitespace_as_suffix);
    case trainer::kUnkSurface:
      return read_string(field, out.unknown_surface);
    default:
      return {};
  }
}

Status take_normalizer_field(const Field& field, SentencePieceSettings& out) {
  switch (field.number) {
    case normalizer::kCharacterMap:
      return read_string(field, out.character_map);
    case normalizer::kAddDummyPrefix:
      return read_switch(field, out.add_dummy_prefix);
    case normalizer::kRemoveExtraWhitespaces:
      return read_switch(field, out.remove_extra_whitespaces);
    case normalizer::kEscapeWhitespaces:
      return read_switch(field, out.escape_whitespaces);
    default:
      return {};
  }
}

Status read_message(const Field& message, Status (&take)(const Field&, SentencePieceSettings&),
                    SentencePieceSettings& out) {
  QUINTET_CHECK(expect_type(message, WireType::length_delimited));
  FieldReader fields(message.bytes, message.offset);
  QUINTET_TRY(auto field, fields.next());
  while (field) {
    QUINTET_CHECK(take(*field, out));
    QUINTET_TRY(field, fields.next());
  }
  return {};
}

}  // namespace

Result<SentencePieceSettings> read_settings(Bytes proto) {
  SentencePieceSettings settings;
  settings.model = SentencePieceModel::unigram;
  settings.byte_fallback = false;
  settings.remove_extra_whitespaces = true;
  FieldReader fields(proto, 0);
  QUINTET_TRY(auto field, fields.next());
  while (field) {
    if (field->is(model::kTrainerSpec)) QUINTET_CHECK(read_message(*field, take_trainer_field, settings));
    if (field->is(model::kNormalizerSpec)) QUINTET_CHECK(read_message(*field, take_normalizer_field, settings));
    QUINTET_TRY(field, fields.next());
  }
  return settings;
}

}  // namespace quintet::sentencepiece
