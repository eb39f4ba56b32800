#include "formats/amb/large_ids.h"

#include <optional>
#include <string_view>

#include "formats/amb/layout.h"

namespace quintet::amb {
namespace {

struct NamedId {
  std::string_view key;
  std::optional<uint32_t> SpecialIds::* id;
};
constexpr NamedId kIds[] = {{"bos_token_id", &SpecialIds::bos},
                            {"eos_token_id", &SpecialIds::eos},
                            {"pad_token_id", &SpecialIds::pad},
                            {"unk_token_id", &SpecialIds::unk},
                            {"mask_token_id", &SpecialIds::mask}};

}  // namespace

void take_large_ids(const Json& config, SpecialIds& special) {
  for (const auto& [key, id] : kIds) {
    const Json* value = config.find(key);
    const auto number = value ? value->as_uint() : std::nullopt;
    if (!(special.*id) && number && *number >= kNoId && *number <= UINT32_MAX)
      special.*id = static_cast<uint32_t>(*number);
  }
}

void put_large_ids(SpecialIds& special, Json& config) {
  for (const auto& [key, id] : kIds) {
    if (!(special.*id) || *(special.*id) < kNoId) continue;
    config.set(key, uint64_t{*(special.*id)});
    (special.*id).reset();
  }
}

}  // namespace quintet::amb
