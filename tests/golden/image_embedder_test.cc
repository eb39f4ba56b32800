// Image embedders of Hugging Face folders: vectors of pictures and texts against those that tests/fixtures/vision has
// from independent code.

#include "runtime/image_embedding/image_embedder.h"

#include <gtest/gtest.h>

#include "runtime/image_embedding/image_embedder_loader.h"
#include "tests/formats/expected.h"
#include "tests/formats/reading.h"
#include "tests/kernels/thread_count.h"

namespace quintet {
namespace {

using test::fixture;
using vision::TowerChoice;

using Loaded = Result<std::unique_ptr<ImageEmbedder>>;

// `chunk`: bytes that are fed at a time.
Loaded load(const std::string& folder, TowerChoice choice = TowerChoice::both, size_t chunk = SIZE_MAX,
            bool to_int8 = false) {
  ImageEmbedderLoader loader({.towers = choice, .to_int8 = to_int8});
  for (const char* const name :
       {"config.json", "preprocessor_config.json", "tokenizer.json", "tokenizer_config.json", "model.safetensors"}) {
    const bool is_tokenizer = std::string_view(name).starts_with("tokenizer");
    if (is_tokenizer && folder.starts_with("dino")) continue;
    const test::File file = fixture("vision/" + folder + "/" + name);
    QUINTET_CHECK(loader.begin_file(name, file.size()));
    for (Bytes rest = file; !rest.empty(); rest = rest.subspan(std::min(chunk, rest.size()))) {
      QUINTET_CHECK(loader.feed(rest.first(std::min(chunk, rest.size()))));
    }
    QUINTET_CHECK(loader.end_file());
  }
  return loader.finish();
}

// The vector of the pass that was begun.
Result<std::vector<float>> vector_of(ImageEmbedder& embedder, Status begun) {
  QUINTET_CHECK(std::move(begun));
  for (bool done = false; !done;) {
    QUINTET_TRY(done, embedder.step());
  }
  return embedder.take();
}

// Bytes that stand for (byte / 255 - mean) / std, plane by plane.
std::vector<float> input_of(const Json& input, std::array<uint64_t, 3>& shape) {
  const test::File bytes = fixture("vision/" + *input.get("file").as_string());
  for (size_t axis = 0; axis < 3; ++axis) shape[axis] = *(*input.get("shape").as_array())[axis].as_uint();
  std::vector<float> values;
  for (size_t i = 0; i < bytes.size(); ++i) {
    const size_t plane = i / (shape[1] * shape[2]);
    const double mean = *(*input.get("mean").as_array())[plane].as_double(),
                 deviation = *(*input.get("std").as_array())[plane].as_double();
    values.push_back(static_cast<float>((static_cast<double>(bytes[i]) / 255 - mean) / deviation));
  }
  return values;
}

std::vector<uint32_t> ids_of(const Json& list) {
  std::vector<uint32_t> ids;
  for (const Json& id : *list.as_array()) ids.push_back(static_cast<uint32_t>(*id.as_uint()));
  return ids;
}

void expect_vector(const Result<std::vector<float>>& vector, const Json& each) {
  const std::string& id = *each.get("id").as_string();
  ASSERT_TRUE(vector) << id << ": " << vector.error().detail;
  const Json::Array& expected = *each.get("expected").as_array();
  ASSERT_EQ(vector->size(), expected.size()) << id;
  for (size_t i = 0; i < expected.size(); ++i) {
    ASSERT_NEAR(double{(*vector)[i]}, *expected[i].as_double(), *each.get("tolerance").as_double()) << id << ", " << i;
  }
}

TEST(ImageEmbedder, HasTheVectorsOfIndependentCode) {
  size_t images = 0, texts = 0;
  std::string folder;
  std::unique_ptr<ImageEmbedder> embedder;
  for (const Json& each : *test::json_fixture("vision/embeddings.json").as_array()) {
    const std::string &path = *each.get("path").as_string(), &kind = *each.get("kind").as_string();
    if (path != folder) {
      auto loaded = load(path, TowerChoice::both, 1000);
      ASSERT_TRUE(loaded) << path << ": " << loaded.error().detail;
      embedder = *std::move(loaded);
      folder = path;
    }
    if (kind == "imageEmbed" && !each.get("input").is_null()) {
      std::array<uint64_t, 3> shape = {};
      const std::vector<float> input = input_of(each.get("input"), shape);
      expect_vector(vector_of(*embedder, embedder->begin(input, shape[0], shape[1], shape[2])), each);
      ++images;
    } else if (kind == "textEmbed") {
      const Json& ids = each.get("ids");
      const Status begun =
          ids.is_null() ? embedder->begin_text(*each.get("text").as_string()) : embedder->begin_ids(ids_of(ids));
      expect_vector(vector_of(*embedder, begun), each);
      ++texts;
    } else if (kind == "tokenize") {
      auto tokens = embedder->tokenize(*each.get("text").as_string());
      ASSERT_TRUE(tokens);
      EXPECT_EQ(*tokens, ids_of(each.get("expected"))) << *each.get("text").as_string();
    }
  }
  EXPECT_GE(images, 3u);
  EXPECT_GE(texts, 8u);
}

// Padding after the end token and the other tower change no bit.
TEST(ImageEmbedder, TheSameTextHasTheSameVector) {
  auto both = load("clip-hf-sparse"), alone = load("clip-hf-sparse", TowerChoice::text);
  ASSERT_TRUE(both && alone);
  const std::vector<uint32_t> ids = {732, 320, 529, 512, 320, 642, 733};
  std::vector<uint32_t> padded = ids;
  padded.resize(24, 733);
  const auto vector = vector_of(**both, (*both)->begin_ids(ids));
  ASSERT_TRUE(vector);
  EXPECT_EQ(*vector_of(**both, (*both)->begin_ids(padded)), *vector);
  EXPECT_EQ(*vector_of(**alone, (*alone)->begin_ids(ids)), *vector);
  EXPECT_LT((*alone)->bytes(), (*both)->bytes());
  double squares = 0;
  for (const float value : *vector) squares += double{value} * double{value};
  EXPECT_NEAR(squares, 1, 1e-6);
}

TEST(ImageEmbedder, ThreadsDoNotChangeVectors) {
  auto embedder = load("siglip-hf");
  ASSERT_TRUE(embedder);
  const std::vector<float> image(size_t{3} * 40 * 40, 0.25F);
  const auto once = vector_of(**embedder, (*embedder)->begin(image, 3, 40, 40));
  const quintet::testing::ThreadCount threads(3);
  EXPECT_EQ(*vector_of(**embedder, (*embedder)->begin(image, 3, 40, 40)), *once);
}

void expect_refused(const Status& status, Code code, std::string_view detail) {
  ASSERT_FALSE(status) << detail;
  EXPECT_EQ(status.error().code, code) << status.error().detail;
  EXPECT_NE(status.error().detail.find(detail), std::string::npos) << status.error().detail;
}

TEST(ImageEmbedder, RejectsUnsupportedInputs) {
  auto dino = load("dinov2-hf"), clip = load("clip-hf-sparse"), text = load("clip-hf-sparse", TowerChoice::text);
  ASSERT_TRUE(dino && clip && text);
  const std::vector<float> image(size_t{3} * 40 * 40, 0.5F);
  std::vector<float> wrong = image;
  wrong[7] = std::numeric_limits<float>::quiet_NaN();
  expect_refused((*dino)->begin_text("a dog"), Code::unsupported, "DINOv2");
  expect_refused((*dino)->begin_ids(std::vector<uint32_t>{1}), Code::unsupported, "DINOv2");
  expect_refused((*text)->begin(image, 3, 40, 40), Code::unsupported, "no image tower");
  expect_refused((*clip)->begin(wrong, 3, 40, 40), Code::input, "not finite");
  expect_refused((*clip)->begin(image, 3, 40, 41), Code::input, "does not have");
  expect_refused((*clip)->begin_ids({}), Code::input, "without tokens");
  expect_refused((*clip)->begin_ids(std::vector<uint32_t>(25, 1)), Code::input, "at most 24");
  for (const uint32_t id : {734U, UINT32_MAX}) {
    const auto outside = vector_of(**clip, (*clip)->begin_ids(std::vector<uint32_t>{732, id, 733}));
    ASSERT_FALSE(outside);
    EXPECT_EQ(outside.error().code, Code::input);
  }
  EXPECT_TRUE(vector_of(**clip, (*clip)->begin_text("still a dog")));
  EXPECT_TRUE((*clip)->take().empty());
  EXPECT_EQ((*clip)->step().error().code, Code::input);
}

}  // namespace
}  // namespace quintet
