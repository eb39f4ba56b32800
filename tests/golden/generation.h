#pragma once
// Generators from tests/fixtures, and sessions computed to their end.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/generation/generator_model.h"
#include "runtime/generation/session.h"

namespace quintet::test {

std::shared_ptr<const GeneratorModel> load_generator(const std::string& path, const GeneratorOptions& options);
std::shared_ptr<const GeneratorModel> load_generator(std::span<const std::byte> file, const GeneratorOptions& options);
std::unique_ptr<GenerationSession> open_session(const std::shared_ptr<const GeneratorModel>& model);

// step() until nothing is left; the number of steps.
size_t complete(GenerationSession& session);
// begin() and all its steps.
void compute(GenerationSession& session, std::span<const uint32_t> ids, bool replace = false);
std::vector<float> logits_of(const GenerationSession& session);

struct Answer {
  std::vector<uint32_t> ids;  // that of the end included
  std::string text;
  EndReason reason = EndReason::length;
};
// All tokens of a generation; `options` is JSON.
Answer generate(GenerationSession& session, const std::string& options);

}  // namespace quintet::test
