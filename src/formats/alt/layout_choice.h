#pragma once
// Which layout a tokenizer section has: nothing in it says so, but its size and its text do.

#include "base/bytes.h"
#include "base/result.h"
#include "formats/alt/section.h"
#include "formats/alt/token_layout.h"

namespace quintet::alt {

// The layout under which `count` tokens are of the section's size and every one is UTF-8, and the bytes of its fields.
struct FittingLayout {
  TokenLayout layout;
  uint64_t fields = 0;
};

// `bytes` begin with the section's fields. Where no layout fits, the error blames the field that is most likely wrong.
Result<FittingLayout> find_layout(Bytes bytes, const Section& section, uint32_t count);

}  // namespace quintet::alt
