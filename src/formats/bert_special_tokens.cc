#include "formats/bert_special_tokens.h"

namespace quintet {

SpecialIds bert_special_ids(const StringTable& tokens) {
  SpecialIds ids;
  const auto note = [](std::optional<uint32_t>& id, uint32_t found) {
    if (!id) id = found;
  };
  for (uint32_t id = 0; id < tokens.size(); ++id) {
    const std::string_view token = tokens[id];
    if (token == "[PAD]") note(ids.pad, id);
    if (token == "[UNK]") note(ids.unk, id);
    if (token == "[CLS]") note(ids.cls, id);
    if (token == "[SEP]") note(ids.sep, id);
    if (token == "[MASK]") note(ids.mask, id);
  }
  return ids;
}

}  // namespace quintet
