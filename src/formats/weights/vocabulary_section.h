#pragma once
// The vocabulary section of a .weights file: the tokens in order of their ids, and the ids of the special ones.

#include "base/bytes.h"
#include "base/result.h"
#include "formats/model_description.h"
#include "formats/weights/header.h"

namespace quintet::weights {

// `section` is all of the section, header included.
Result<TokenizerDescription> read_vocabulary(Bytes section, const Header& header);

}  // namespace quintet::weights
