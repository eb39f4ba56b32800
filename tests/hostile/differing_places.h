#pragma once
// Recipes for which a reader's place of the error is another than the recipe's, with the reason. All else must match.

#include <set>
#include <string>

namespace quintet::test {

inline const std::set<std::string>& differing_places() {
  static const std::set<std::string> ids = {
      // .weights
      "bad-embd-header-bit",  // a checksum shows that a bit is wrong, not which
      "bad-embd-data-crc", "bad-embd-file-crc",
      "bad-embd-dtype-uint32",  // a type that the format has and the encoder has not: the model refuses it

      // safetensors
      "bad-st-header-3df",  // a space less of padding is a good header; it is the data's size that is wrong then

      // AMB
      "bad-ambq-crc-data",         // a checksum shows that a bit is wrong, not which
      "bad-ambq-tok-merge-space",  // the merge is wrong as a whole: any of its letters may have been the space

      // ALT
      "bad-alt-dtype-3",  // data of another size: what follows is not a record, and why is not to be told
      "bad-alt-shape-9",
      "bad-alt-params-heads-3",  // 4 and 3 do not go together, and either may be wrong
  };
  return ids;
}

}  // namespace quintet::test
