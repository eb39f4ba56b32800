#pragma once
// Sessions to KV cache files in memory, and back.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "formats/kv_cache/cache_file.h"
#include "runtime/generation/session.h"

namespace quintet::test {

std::vector<std::byte> saved_cache(const GenerationSession& session, const kv::Storage& storage = {},
                                   bool with_sampler = false);

Status load_cache(GenerationSession& session, std::span<const std::byte> file,
                  std::optional<std::vector<uint32_t>> tokens = std::nullopt, bool with_sampler = false);

// Reads a file for a model, and drops it.
Status check_cache(const kv::CacheTarget& target, std::span<const std::byte> file);

// Whatever model it is of, in rows of f32.
kv::CacheContent read_cache_content(std::span<const std::byte> file);

}  // namespace quintet::test
