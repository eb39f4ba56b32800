// No broken file makes a reader take more memory than its bytes justify, however large the numbers in it are.

//
// The address sanitizer reports every allocation, by any function, so this is tested in its build.

#include <gtest/gtest.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define QUINTET_COUNTS_ALLOCATIONS 1
#endif
#endif

#ifdef QUINTET_COUNTS_ALLOCATIONS

#include <sanitizer/allocator_interface.h>

#include <algorithm>
#include <tuple>

#include "formats/tinyruntime/network.h"
#include "formats/tinyruntime/tensors.h"
#include "kernels/registry.h"
#include "runtime/embedding/embedder_sink.h"
#include "runtime/generation/generator_loader.h"
#include "runtime/kv/kv_cache_sink.h"
#include "tests/formats/amb_building.h"
#include "tests/formats/resnet_tables.h"
#include "tests/golden/classifying.h"
#include "tests/golden/resnet_fixture.h"
#include "tests/hostile/recipe.h"

namespace quintet::test {
namespace {

// Bytes that are held now, and the most that were held at once, since the count was begun.
bool counting = false;
size_t held = 0;
size_t max_held = 0;

void count_malloc(const volatile void*, size_t size) {
  if (counting) max_held = std::max(max_held, held += size);
}

void count_free(const volatile void* pointer) {
  if (!counting || pointer == nullptr) return;
  held -= std::min(held, __sanitizer_get_allocated_size(pointer));
}

class Allocation : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { __sanitizer_install_malloc_and_free_hooks(count_malloc, count_free); }
};

// Reads a file into a sink and gives the most memory that was held on the way.
template <class Sink>
size_t memory_of_reading(const File& file, Format format, bool length_known, Sink& sink) {
  held = max_held = 0;
  counting = true;
  {
    ByteStream in(length_known ? std::optional<uint64_t>(file.size()) : std::nullopt);
    Parse<void> parse = read_model(in, format, sink, {});
    parse.start();
    for (size_t at = 0; !parse.done() && at < file.size(); at += 1000) {
      in.feed(Bytes(file).subspan(at, std::min<size_t>(1000, file.size() - at)));
    }
    if (!parse.done()) in.end();
  }
  counting = false;
  return max_held;
}

class DescriptionOnly final : public ModelSink {
 public:
  Status begin(const ModelDescription&) override { return {}; }
  Result<std::unique_ptr<ByteSink>> tensor(const TensorArrival&) override { return nullptr; }
  Status end(ModelDescription) override { return {}; }
};

// A JSON text of two bytes a value takes 16 times its size; coroutines and messages a few kilobytes.
constexpr size_t kMemoryPerByte = 24;
constexpr size_t kMemoryBeside = 64 << 10;

void check_all(Format format) {
  for (const BrokenFile& file : broken_files(format)) {
    for (const bool known : {true, false}) {
      DescriptionOnly sink;
      const size_t memory = memory_of_reading(file.bytes, format, known, sink);
      EXPECT_LE(memory, file.bytes.size() * kMemoryPerByte + kMemoryBeside) << file.id;
    }
  }
}

TEST_F(Allocation, IsBoundedByTheInput) {
  for (const Format format : formats_with_recipes()) check_all(format);
}

// Tensors without values cost a file 21 bytes each; a search through all of them for each would take minutes here.
TEST_F(Allocation, OfManyEmptyTensorsIsBoundedByTheInput) {
  AmbBuilder builder;
  for (int i = 0; i < 200'000; ++i) {
    builder.add({.name = std::to_string(i), .shape = {0}, .data_size = 0, .data = {}});
  }
  const File file = builder.file();
  for (const bool known : {true, false}) {
    DescriptionOnly sink;
    EXPECT_LE(memory_of_reading(file, Format::amb, known, sink), file.size() * kMemoryPerByte + kMemoryBeside);
  }
}

TEST_F(Allocation, OfAWholeModelIsBoundedByTheInput) {
  for (const BrokenFile& file : broken_files("malformed/weights.json")) {
    EmbedderSink sink(2, false, EncoderTask::embed);
    const size_t memory = memory_of_reading(file.bytes, Format::embd, false, sink);
    EXPECT_LE(memory, file.bytes.size() * kMemoryPerByte + kMemoryBeside) << file.id;
  }
}

TEST_F(Allocation, OfAKvCacheIsBoundedByTheInput) {
  for (const BrokenFile& file : broken_files("malformed/kv_cache.json")) {
    for (const bool known : {true, false}) {
      kv::KvCacheSink sink(std::nullopt);
      const size_t memory = memory_of_reading(file.bytes, Format::safetensors, known, sink);
      EXPECT_LE(memory, file.bytes.size() * kMemoryPerByte + kMemoryBeside) << file.id;
    }
  }
}

size_t memory_of_loading(const File& file, Format format, bool length_known) {
  held = max_held = 0;
  counting = true;
  {
    GeneratorLoader loader({}, format, uint64_t{1} << 40);
    Status status = loader.begin_file("", length_known ? std::optional<uint64_t>(file.size()) : std::nullopt);
    for (size_t at = 0; status && at < file.size(); at += 1000) {
      status = loader.feed(Bytes(file).subspan(at, std::min<size_t>(1000, file.size() - at)));
    }
    if (status) status = loader.end_file();
    if (status) std::ignore = loader.finish();
  }
  counting = false;
  return max_held;
}

TEST_F(Allocation, OfADecoderIsBoundedByTheInput) {
  for (const Format format : {Format::amb, Format::alt}) {
    for (const BrokenFile& file : broken_files(format)) {
      for (const bool known : {true, false}) {
        const size_t memory = memory_of_loading(file.bytes, format, known);
        EXPECT_LE(memory, file.bytes.size() * kMemoryPerByte + kMemoryBeside) << file.id;
      }
    }
  }
}

// Like memory_of_reading(), for an image network that is loaded.
size_t memory_of_network(const File& file, bool length_known) {
  held = max_held = 0;
  counting = true;
  std::ignore = load_classifier(file, {.format = Format::tinyruntime, .chunk = 1000, .length_known = length_known});
  counting = false;
  return max_held;
}

TEST_F(Allocation, OfANetworkIsBoundedByTheInput) {
  for (const BrokenFile& file : broken_files(Format::tinyruntime)) {
    for (const bool known : {true, false}) {
      EXPECT_LE(memory_of_network(file.bytes, known), file.bytes.size() * kMemoryPerByte + kMemoryBeside) << file.id;
    }
  }
}

TEST_F(Allocation, OfANetworkHoldsItsWeightsOnce) {
  for (const char* path : {"tinyruntime/r18-vanilla-bytes.bin", "tinyruntime/r18-sq.bin"}) {
    const File file = fixture(path);
    EXPECT_LE(memory_of_network(file, true), file.size() + kMemoryBeside) << path;
  }
}

TEST_F(Allocation, OfADecoderHoldsItsWeightsOnce) {
  for (const auto& [path, format] : {std::pair{"amb/phi2-parallel.amb", Format::amb}, {"alt/f32.alt", Format::alt}}) {
    const File file = fixture(path);
    EXPECT_LE(memory_of_loading(file, format, true), file.size() + kMemoryBeside) << path;
  }
}

// ResNet-18 of width 16, all weights zero.
std::unique_ptr<vision::ImageNetwork> zero_network(NetworkKind kind) {
  LayerTable table = resnet_table({2, 2, 2, 2}, false, false, false);
  const auto widen = [](uint32_t& channels) { channels *= 4; };
  for (ConvLayer& conv : table.convs) {
    conv.output.scale = 1;
    if (conv.in_channels != 3) widen(conv.in_channels);
    widen(conv.out_channels);
  }
  widen(table.linears[0].in_features);
  table.linears[0].output.scale = 1;
  table.kind = kind;
  const tinyruntime::Network graph =
      tinyruntime::network_of(static_cast<uint32_t>(table.convs.size()), tinyruntime::Tail::plain).value();
  if (kind == NetworkKind::sq8) table.activations.assign(graph.min_activations(), {.scale = 1, .zero_point = 0});
  std::vector<TensorPayload> tensors;
  for (const tinyruntime::NetworkTensor& tensor : tinyruntime::network_tensors(table, graph)) {
    const size_t bytes = kind == NetworkKind::sq8 && tensor.part == tinyruntime::TensorPart::weight ? 1 : sizeof(float);
    tensors.push_back({{.name = tensor.name, .quantization = {}, .shape = tensor.shape},
                       std::vector<std::byte>(tensor.elements() * bytes)});
  }
  return make_network(active_kernels(), table, tensors);
}

TEST_F(Allocation, OfAPassIsThreeActivationsAndALittle) {
  constexpr size_t kHeight = 600, kWidth = 500, kStemChannels = 16;
  const std::vector<float> image(3 * kHeight * kWidth, 0.5F);
  for (const NetworkKind kind : {NetworkKind::vanilla, NetworkKind::sq8}) {
    const auto network = zero_network(kind);
    ASSERT_TRUE(network);
    held = max_held = 0;
    counting = true;
    const bool ran = network->logits(image, kHeight, kWidth).has_value();
    counting = false;
    EXPECT_TRUE(ran);
    const size_t value = kind == NetworkKind::vanilla ? sizeof(float) : sizeof(int16_t);
    const size_t largest = kHeight / 2 * (kWidth / 2) * kStemChannels * value;
    EXPECT_GT(max_held, largest);
    EXPECT_LE(max_held, 3 * largest + (size_t{8} << 20));
  }
}

// The count itself: a good file needs some memory, and a reader that held it all would show.
TEST_F(Allocation, IsCounted) {
  const File file = fixture("embd/f32.weights");
  DescriptionOnly sink;
  const size_t memory = memory_of_reading(file, Format::embd, true, sink);
  EXPECT_GT(memory, 4u << 10);
  EXPECT_LT(memory, file.size() / 2);
}

}  // namespace
}  // namespace quintet::test

#endif
