#pragma once
// CacheLoader: a KV cache file in, chunk by chunk, for a session that it replaces the content of at the end.

#include <memory>

#include "bindings/outcome.h"
#include "runtime/generation/session.h"
#include "runtime/kv/cache_options.h"

namespace quintet::js {

// A handle that JavaScript must delete(). It keeps the session alive.
val cache_loader_handle(std::shared_ptr<GenerationSession> session, double total, kv::LoadOptions options);

}  // namespace quintet::js
