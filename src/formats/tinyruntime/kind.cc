#include "formats/tinyruntime/kind.h"

#include <string>

#include "base/byte_reader.h"
#include "formats/tinyruntime/layout.h"

namespace quintet::tinyruntime {
namespace {

struct Match {
  size_t right = 0, wrong = 0;
};

// Convolutions that have the shapes of the network, as far as `head` goes.
Match match(Bytes head, NetworkKind kind, std::span<const ConvShape> shapes) {
  const TablePlaces places{kind, {}};
  Match found;
  for (size_t i = 0; i < shapes.size() && places.conv(i) + conv_at::kIn <= head.size(); ++i) {
    const auto at = static_cast<size_t>(places.conv(i));
    const ConvShape shape{load_le<uint32_t>(head, at + conv_at::kKernel),
                          load_le<uint32_t>(head, at + conv_at::kStride),
                          load_le<uint32_t>(head, at + conv_at::kPadding)};
    ++(shape == shapes[i] ? found.right : found.wrong);
  }
  return found;
}

}  // namespace

Result<NetworkKind> find_kind(Bytes head, std::span<const ConvShape> shapes, std::string_view network,
                              std::optional<NetworkKind> asked) {
  // More wrong convolutions than this, and it is their number that is wrong.
  constexpr size_t kMaxWrong = 2;
  NetworkKind best = asked.value_or(NetworkKind::vanilla);
  Match best_match = match(head, best, shapes);
  for (const NetworkKind kind : {NetworkKind::dq8, NetworkKind::sq8}) {
    const Match found = match(head, kind, shapes);
    if (asked || found.right <= best_match.right) continue;
    best = kind;
    best_match = found;
  }
  if (best_match.wrong <= kMaxWrong) return best;
  const std::string kind = asked ? std::string(name_of(*asked)) : "vanilla, dq8 or sq8";
  return format_error(Reason::mismatch, header_at::kConvs,
                      "the " + std::to_string(shapes.size()) + " convolutions, read as " + kind +
                          ", are not those of " + std::string(network));
}

}  // namespace quintet::tinyruntime
