// Image networks loaded from the fixtures answer as the original runtime does, however their bytes arrive.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "architectures/vision/table_graph.h"
#include "formats/tinyruntime/check.h"
#include "models/vision/plan.h"
#include "runtime/inspect/describe.h"
#include "runtime/inspect/memory_estimate.h"
#include "tests/formats/expected.h"
#include "tests/golden/classifying.h"
#include "tests/golden/resnet_fixture.h"

namespace quintet::test {
namespace {

constexpr const char* kFolder = "tinyruntime/";
constexpr uint64_t kHeight = 37, kWidth = 50;

std::vector<float> small_input() { return generated_input(5, 3 * kHeight * kWidth); }

// More work than one step does.
constexpr uint64_t kLargeSide = 1536;
std::vector<float> large_input() { return generated_input(5, 3 * kLargeSide * kLargeSide); }

class LoadedNetwork : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    bytes_ = fixture(kFolder + GetParam());
    auto read = read_file(bytes_, {.format = Format::tinyruntime});
    ASSERT_TRUE(read) << read.error().detail;
    description_ = std::move(read->description);
  }
  NetworkKind kind() const { return description_.layers->kind; }

  File bytes_;
  ModelDescription description_;
};

TEST_P(LoadedNetwork, GivesTheRecordedLogits) {
  const auto classifier = load_classifier(bytes_);
  ASSERT_TRUE(classifier) << classifier.error().detail;
  const Json* runs = expected_entry(kFolder + std::string("expected.json"), GetParam()).find("expect")->find("runs");
  if (runs == nullptr) return;
  for (const Json& run : *runs->as_array()) {
    const std::vector<uint64_t> shape = numbers(*run.find("input")->find("shape"));
    const auto logits = logits_of(**classifier, run_input(kFolder, *run.find("input")), shape[1], shape[2]);
    ASSERT_TRUE(logits) << logits.error().detail;
    const Json::Array& expected = *run.find("logits")->as_array();
    ASSERT_EQ(logits->size(), expected.size());
    // Quantized networks take the original's float steps in its order; the last ones are those of a batch norm.
    const double tolerance =
        kind() == NetworkKind::vanilla ? *run.find("tolerance")->find("logits_abs")->as_double() : 0;
    for (size_t i = 0; i < expected.size(); ++i) {
      const double right = *expected[i].as_double();
      EXPECT_NEAR((*logits)[i], right, std::max(tolerance, 1e-6 * std::abs(right))) << i;
    }
  }
}

// The last layer in double, from what the file says of it and from the features.
TEST_P(LoadedNetwork, FeaturesAreWhatTheLastLayerReads) {
  const auto classifier = load_classifier(bytes_);
  ASSERT_TRUE(classifier);
  const std::vector<float> input = small_input();
  ASSERT_TRUE((*classifier)->begin(input, 3, kHeight, kWidth, vision::Output::features));
  const std::vector<float> features = finish_pass(**classifier).value();
  const LinearLayer& last = description_.layers->linears.back();
  ASSERT_EQ(features.size(), last.in_features);
  if (kind() != NetworkKind::vanilla) return;
  const auto read = read_file(bytes_, {.format = Format::tinyruntime});
  const std::string name = description_.layers->linears.size() == 1 ? "fc" : "head.fc2";
  const auto values_of = [&](const std::string& tensor) {
    const auto& bytes = read->data.at(tensor);
    std::vector<float> values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  };
  const std::vector<float> weight = values_of(name + ".weight"), bias = values_of(name + ".bias");
  const auto logits = logits_of(**classifier, input, kHeight, kWidth);
  ASSERT_TRUE(logits);
  for (size_t i = 0; i < logits->size(); ++i) {
    double expected = double{bias[i]};
    for (size_t j = 0; j < features.size(); ++j)
      expected += double{weight[i * features.size() + j]} * double{features[j]};
    EXPECT_NEAR((*logits)[i], expected, 1e-4 * (1 + std::abs(expected)));
  }
}

TEST_P(LoadedNetwork, IsTheSameInChunksOfAnySize) {
  const std::vector<float> input = small_input();
  std::optional<std::vector<float>> whole;
  for (const size_t chunk : {SIZE_MAX, size_t{4096}, size_t{7}, size_t{1}}) {
    for (const bool known : {true, false}) {
      SCOPED_TRACE(std::to_string(chunk) + (known ? "" : " of unknown length"));
      const auto classifier = load_classifier(bytes_, {.chunk = chunk, .length_known = known});
      ASSERT_TRUE(classifier) << classifier.error().detail;
      const auto logits = logits_of(**classifier, input, kHeight, kWidth);
      ASSERT_TRUE(logits) << logits.error().detail;
      EXPECT_EQ(logits->size(), description_.layers->classes);
      for (const float logit : *logits) EXPECT_TRUE(std::isfinite(logit));
      if (!whole) whole = *logits;
      EXPECT_EQ(*logits, *whole);
    }
  }
}

TEST_P(LoadedNetwork, IsOnlyOfItsOwnKind) {
  for (const NetworkKind asked : {NetworkKind::vanilla, NetworkKind::dq8, NetworkKind::sq8}) {
    const auto classifier = load_classifier(bytes_, {.kind = asked});
    EXPECT_EQ(classifier.has_value(), asked == kind());
    if (classifier) continue;
    EXPECT_EQ(classifier.error().format, "tinyruntime");
    EXPECT_TRUE(classifier.error().offset);
  }
}

TEST_P(LoadedNetwork, TakesTheMemoryThatInspectionReports) {
  const auto classifier = load_classifier(bytes_);
  ASSERT_TRUE(classifier);
  const uint64_t held = (*classifier)->network().bytes();
  const MemoryEstimate estimate = estimate_memory(description_);
  EXPECT_NEAR(static_cast<double>(estimate.weights), static_cast<double>(held),
              std::max(0.03 * static_cast<double>(held), 512.0));
  const Json info = describe(**classifier);
  EXPECT_EQ(info.find("memory")->find("weights")->as_uint(), held);
  const LayerTable& layers = *description_.layers;
  const vision::Graph graph = vision::graph_of(layers, *tinyruntime::recognise_network(layers)).graph;
  const size_t value_bytes = kind() == NetworkKind::sq8 ? sizeof(int16_t) : sizeof(float);
  EXPECT_EQ(*info.find("memory")->find("load")->as_uint() - held, vision::pass_bytes(graph, value_bytes).max());
}

TEST_P(LoadedNetwork, DescribesItself) {
  const auto classifier = load_classifier(bytes_);
  ASSERT_TRUE(classifier);
  EXPECT_EQ((*classifier)->network().classes(), description_.layers->classes);
  EXPECT_EQ((*classifier)->network().input_channels(), 3u);
  EXPECT_EQ((*classifier)->network().usual_input_size(), 224u);
  const Json info = describe(**classifier);
  EXPECT_EQ(*info.find("kind")->as_string(), name_of(kind()));
  EXPECT_EQ(write_json(*info.find("config")), write_json(description_.config));
  EXPECT_EQ(info.find("tensors")->as_array()->size(), description_.tensors.size());
}

INSTANTIATE_TEST_SUITE_P(Fixtures, LoadedNetwork, testing::ValuesIn(fixture_files("tinyruntime/expected.json")),
                         [](const auto& info) { return test_name(info.param); });

class SmallClassifier : public testing::Test {
 protected:
  void SetUp() override {
    auto loaded = load_classifier(fixture("tinyruntime/r18-plain-sq.bin"));
    ASSERT_TRUE(loaded) << loaded.error().detail;
    classifier_ = *std::move(loaded);
  }
  std::vector<float> logits(std::span<const float> input) {
    const auto found = logits_of(*classifier_, input, kHeight, kWidth);
    EXPECT_TRUE(found);
    return found.value_or(std::vector<float>());
  }

  std::unique_ptr<ImageClassifier> classifier_;
};

TEST_F(SmallClassifier, PicturesAreTheSameAsTheirPreparedInputs) {
  std::vector<uint8_t> samples(60 * 45 * 3);
  for (size_t i = 0; i < samples.size(); ++i) samples[i] = static_cast<uint8_t>(i * i / 7);
  const Pixels picture{samples, 60, 45, 3};
  Preparation preparation = Preparation::cropped(40, 48);
  preparation.mean = {0.1F, 0.2F, 0.3F};
  preparation.standard_deviation = {1, 2, 3};
  const auto prepared = prepare_image(picture, preparation);
  ASSERT_TRUE(prepared);
  const auto expected = logits_of(*classifier_, prepared->data.span(), 40, 40);
  ASSERT_TRUE(expected);
  ASSERT_TRUE(classifier_->prepare_as({.size = 40,
                                       .shorter_side = 48,
                                       .mean = preparation.mean,
                                       .standard_deviation = preparation.standard_deviation}));
  const auto same = classifier_->prepare(picture);
  ASSERT_TRUE(same);
  EXPECT_EQ(same->height, 40u);
  EXPECT_EQ(same->width, 40u);
  EXPECT_TRUE(std::ranges::equal(same->data.span(), prepared->data.span()));
  ASSERT_TRUE(classifier_->begin(picture, vision::Output::logits));
  EXPECT_EQ(finish_pass(*classifier_).value(), *expected);
}

TEST_F(SmallClassifier, ComputesInSteps) {
  const std::vector<float> input = large_input();
  ASSERT_TRUE(classifier_->begin(input, 3, kLargeSide, kLargeSide, vision::Output::logits));
  size_t steps = 0;
  for (bool done = false; !done; ++steps) {
    const auto step = classifier_->step();
    ASSERT_TRUE(step);
    done = *step;
  }
  EXPECT_GT(steps, 1u);
  EXPECT_EQ(classifier_->step().value(), true);
  const std::vector<float> taken = classifier_->take();
  EXPECT_EQ(taken.size(), classifier_->network().classes());
  EXPECT_EQ(taken, logits_of(*classifier_, input, kLargeSide, kLargeSide).value());
}

TEST_F(SmallClassifier, ForgetsACancelledPass) {
  const std::vector<float> input = small_input();
  const std::vector<float> expected = logits(input);
  const std::vector<float> other = large_input();
  const auto begin_other = [&] { return classifier_->begin(other, 3, kLargeSide, kLargeSide, vision::Output::logits); };
  ASSERT_TRUE(begin_other());
  ASSERT_TRUE(classifier_->step());
  EXPECT_TRUE(classifier_->take().empty());  // incomplete
  EXPECT_EQ(logits(input), expected);
  ASSERT_TRUE(begin_other());
  ASSERT_TRUE(classifier_->step());
  EXPECT_EQ(logits(input), expected);
  EXPECT_TRUE(classifier_->take().empty());  // taken already
  ASSERT_TRUE(begin_other());
  classifier_->cancel();
  EXPECT_EQ(classifier_->step().error().code, Code::input);
}

TEST_F(SmallClassifier, RejectsInvalidInputs) {
  const std::vector<float> input(3 * 4 * 5);
  const auto refused = [&](uint64_t channels, uint64_t height, uint64_t width, Reason reason) {
    const Status status = classifier_->begin(input, channels, height, width, vision::Output::logits);
    return !status && status.error().code == Code::input && status.error().reason == reason;
  };
  EXPECT_TRUE(classifier_->begin(input, 3, 4, 5, vision::Output::logits));
  EXPECT_TRUE(refused(3, 5, 5, Reason::mismatch));
  EXPECT_TRUE(refused(3, 3, 5, Reason::mismatch));
  EXPECT_FALSE(classifier_->step());  // nor is what was begun before of use
  EXPECT_TRUE(refused(5, 4, 3, Reason::mismatch));
  EXPECT_TRUE(refused(1, 4, 15, Reason::mismatch));
  EXPECT_TRUE(refused(0, 4, 5, Reason::out_of_range));
  EXPECT_TRUE(refused(3, 0, 5, Reason::out_of_range));
  EXPECT_TRUE(refused(3, 4, 0, Reason::out_of_range));
  // Products that wrap round to the right number.
  EXPECT_TRUE(refused(3, (uint64_t{1} << 32) + 4, uint64_t{1} << 32, Reason::limit));
  EXPECT_TRUE(refused(3, uint64_t{1} << 63, 2, Reason::limit));
  EXPECT_TRUE(refused(3, 8192, 8193, Reason::limit));
  EXPECT_TRUE(refused(UINT64_MAX / 20 + 4, 4, 5, Reason::mismatch));
  for (const float wrong : {std::nanf(""), std::numeric_limits<float>::infinity()}) {
    std::vector<float> values = input;
    values[17] = wrong;
    EXPECT_EQ(classifier_->begin(values, 3, 4, 5, vision::Output::logits).error().code, Code::input);
  }
}

TEST_F(SmallClassifier, RejectsInvalidPictures) {
  const std::vector<uint8_t> samples(48);
  ASSERT_TRUE(classifier_->prepare_as({.size = 32}));
  EXPECT_TRUE(classifier_->begin({samples, 4, 4, 3}, vision::Output::logits));
  EXPECT_EQ(classifier_->begin({samples, 4, 5, 3}, vision::Output::logits).error().code, Code::input);
  EXPECT_EQ(classifier_->step().error().code, Code::input);
  // Values normalized by nearly nothing are beyond a float.
  ASSERT_TRUE(classifier_->prepare_as({.size = 32,
                                       .shorter_side = 32,
                                       .mean = std::array<float, 3>{0.5F, 0.5F, 0.5F},
                                       .standard_deviation = std::array<float, 3>{1, 1e-45F, 1}}));
  EXPECT_EQ(classifier_->begin({samples, 4, 4, 3}, vision::Output::logits).error().code, Code::input);
}

TEST_F(SmallClassifier, ChangesOnlyTheGivenPartsOfThePreparation) {
  const Preparation usual = Preparation::for_size(224);
  EXPECT_EQ(classifier_->preparation().mean, usual.mean);
  ASSERT_TRUE(classifier_->prepare_as({.mean = std::array<float, 3>{0.5F, 0.25F, 0.125F}}));
  EXPECT_EQ(classifier_->preparation().mean, (std::array<float, 3>{0.5F, 0.25F, 0.125F}));
  EXPECT_EQ(classifier_->preparation().standard_deviation, usual.standard_deviation);
  EXPECT_EQ(classifier_->preparation().fixed_size()->height, 224u);
  ASSERT_TRUE(classifier_->prepare_as({.size = 64}));
  EXPECT_EQ(classifier_->preparation().fixed_size()->width, 64u);
  EXPECT_EQ(classifier_->preparation().mean, (std::array<float, 3>{0.5F, 0.25F, 0.125F}));
  const Status less = classifier_->prepare_as({.size = 64, .shorter_side = 63});
  ASSERT_FALSE(less);
  EXPECT_EQ(less.error().code, Code::input);
}

TEST_F(SmallClassifier, HasNoLabels) { EXPECT_TRUE(classifier_->labels().empty()); }

TEST(ClassifierLoader, RejectsFilesThatAreNotModels) {
  EXPECT_EQ(load_classifier(fixture("malformed/noise.bin")).error().reason, Reason::bad_magic);
}

TEST(ClassifierLoader, NeedsAFileWithTensors) {
  EXPECT_EQ(ClassifierLoader({}).finish().error().reason, Reason::missing);
  ClassifierLoader loader({});
  ASSERT_TRUE(loader.begin_file("config.json", {}));
  constexpr std::string_view kConfig = R"({"model_type": "resnet"})";
  ASSERT_TRUE(loader.feed(std::as_bytes(std::span(kConfig))));
  ASSERT_TRUE(loader.end_file());
  const auto nothing = loader.finish();
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().code, Code::input);
  EXPECT_EQ(nothing.error().reason, Reason::missing);
}

}  // namespace
}  // namespace quintet::test
