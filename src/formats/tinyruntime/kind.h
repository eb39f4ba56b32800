#pragma once
// Which kind of network a file holds: it does not say (docs/formats/tinyruntime.md).

#include "base/bytes.h"
#include "base/result.h"
#include "formats/layer_table.h"
#include "formats/resnet_graph.h"

namespace quintet::tinyruntime {

// `head` is the beginning of the file, as long as the table of the smallest kind, or all that there is. The kind is the
// one under whose layout the convolutions are those of `graph`; a few of them may be wrong, so that the error about
// them names their place. `asked`: the kind that the caller named.
Result<NetworkKind> find_kind(Bytes head, const ResNetGraph& graph, std::optional<NetworkKind> asked);

}  // namespace quintet::tinyruntime
