#pragma once
// Recognizes unexpected files: a download or a clone that went wrong, an archive.

#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/result.h"

namespace quintet {

// The kind of file that a caller expects. A text may begin with anything that is not certainly another kind of file.
enum class Expected : uint8_t { text, json, model };

// Guesses by the first bytes: "it looks like gzip data, ...". Empty if it is not a common mistake.
std::string_view other_kind(Bytes head, Expected expected);

// Appends to `problem` what takes the place of a model, if that is known.
std::string with_other_kind(std::string problem, Bytes head);

// BAD_MAGIC if the content is that of another kind of file.
Status check_kind(std::string_view content, Expected expected);

}  // namespace quintet
