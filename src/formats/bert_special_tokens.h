#pragma once
// The special tokens of a BERT vocabulary, by their text.

#include "formats/model_description.h"

namespace quintet {

// Their ids where a file does not tell them; a token that is not there has none, of several the first counts.
SpecialIds bert_special_ids(const StringTable& tokens);

}  // namespace quintet
