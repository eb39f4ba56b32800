#pragma once
// Which kind of network a file holds: it does not say (docs/formats/tinyruntime.md, "Which kind it is").

#include <span>
#include <string_view>

#include "base/bytes.h"
#include "base/result.h"
#include "formats/layer_table.h"

namespace quintet::tinyruntime {

// `head` is the beginning of the file, as long as the table of the smallest kind, or all that there is. The kind is the
// one under whose layout the convolutions have the shapes of `network`; a few of them may be wrong, so that the error
// about them names their place. `asked`: the kind that the caller named.
Result<NetworkKind> find_kind(Bytes head, std::span<const ConvShape> shapes, std::string_view network,
                              std::optional<NetworkKind> asked);

}  // namespace quintet::tinyruntime
