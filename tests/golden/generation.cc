#include "tests/golden/generation.h"

#include <gtest/gtest.h>

#include "runtime/generation/generator_loader.h"
#include "tests/golden/fixture.h"

namespace quintet::test {

std::shared_ptr<const GeneratorModel> load_generator(const std::string& path, const GeneratorOptions& options) {
  return load_generator(read_fixture(path), options);
}

std::shared_ptr<const GeneratorModel> load_generator(std::span<const std::byte> file, const GeneratorOptions& options) {
  GeneratorLoader loader(options, std::nullopt, uint64_t{1} << 32);
  EXPECT_TRUE(loader.begin_file("", file.size()));
  EXPECT_TRUE(loader.feed({file.begin(), file.end()}));
  EXPECT_TRUE(loader.end_file());
  auto model = loader.finish();
  EXPECT_TRUE(model) << model.error().detail;
  return std::move(*model);
}

std::unique_ptr<GenerationSession> open_session(const std::shared_ptr<const GeneratorModel>& model) {
  auto session = GenerationSession::create(model);
  EXPECT_TRUE(session) << session.error().detail;
  return std::move(*session);
}

size_t complete(GenerationSession& session) {
  for (size_t steps = 1;; ++steps) {
    const auto left = session.step();
    EXPECT_TRUE(left) << left.error().detail;
    if (!left || *left == 0) return steps;
  }
}

void compute(GenerationSession& session, std::span<const uint32_t> ids, bool replace) {
  const auto begun = session.begin(ids, replace);
  EXPECT_TRUE(begun) << begun.error().detail;
  complete(session);
}

std::vector<float> logits_of(const GenerationSession& session) {
  const auto logits = session.logits();
  EXPECT_TRUE(logits) << logits.error().detail;
  return logits ? std::vector<float>(logits->begin(), logits->end()) : std::vector<float>();
}

Answer generate(GenerationSession& session, const std::string& options) {
  const auto read = read_generation_options(options);
  EXPECT_TRUE(read) << read.error().detail;
  EXPECT_TRUE(session.start_generation(*read));
  Answer answer;
  for (;;) {
    const auto token = session.choose();
    EXPECT_TRUE(token) << token.error().detail;
    if (!token) return answer;
    if (token->id) answer.ids.push_back(*token->id);
    answer.text += token->text;
    if (token->reason) {
      answer.reason = *token->reason;
      return answer;
    }
    complete(session);
  }
}

}  // namespace quintet::test
