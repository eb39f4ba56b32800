#pragma once
// Engines compile a WebAssembly function well only once it has run for a while.

#include "runtime/generation/session.h"

namespace quintet {

// Computes some tokens as a prompt and one after another, for less than 100 ms whatever the size of the model, so that
// the first answer does not start slowly. What it meets of errors the first use will meet again.
void warm_up(GenerationSession& session);

}  // namespace quintet
