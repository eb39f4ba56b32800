#include "runtime/kv/model_identity.h"

#include <gtest/gtest.h>

#include <charconv>
#include <functional>
#include <random>
#include <set>

#include "base/hash.h"
#include "tests/formats/reading.h"

namespace quintet::test {
namespace {

DecoderConfig decoder_of(const char* architecture, uint64_t n_vocab, uint64_t n_embd, uint64_t n_layers,
                         uint64_t n_heads, uint64_t n_kv_heads, uint64_t head_dim, double rope_freq_base) {
  DecoderConfig config;
  config.architecture = architecture;
  config.n_vocab = n_vocab;
  config.n_embd = n_embd;
  config.n_layers = n_layers;
  config.n_heads = n_heads;
  config.n_kv_heads = n_kv_heads;
  config.head_dim = head_dim;
  config.rope_dim = head_dim;
  config.rope_freq_base = rope_freq_base;
  return config;
}

// The configuration of amb/llama-f32.amb, to which the caches of tests/fixtures/safetensors belong.
DecoderConfig tiny_llama() { return decoder_of("llama", 64, 32, 2, 4, 2, 8, 10000); }

kv::CacheFile cache_of(const char* name) {
  const auto read = read_file(fixture("safetensors/" + std::string(name) + ".safetensors"), {.wants_data = false});
  EXPECT_TRUE(read);
  return *kv::read_cache_file(read->description);
}

// The hashes were computed with another program from the texts in the comments.
TEST(KvCacheIdentity, FingerprintsAreThoseOfAnotherProgram) {
  EXPECT_EQ(kv::fingerprint(tiny_llama()), "84f470b70687a2c2");  // llama|64|32|2|4|2|8|8|10000
  // mistral|32000|4096|32|32|8|128|128|1000000
  EXPECT_EQ(kv::fingerprint(decoder_of("mistral", 32000, 4096, 32, 32, 8, 128, 1e6)), "90f1c406594b41c6");
  // phi3|100|16|1|2|2|8|8|10000.5
  EXPECT_EQ(kv::fingerprint(decoder_of("phi3", 100, 16, 1, 2, 2, 8, 10000.5)), "c61ffae2604aa278");
  // llama|128256|4096|32|32|8|128|128|500000
  EXPECT_EQ(kv::fingerprint(decoder_of("llama", 128256, 4096, 32, 32, 8, 128, 500000)), "376b5bce09967112");
}

// Bases that files have, natural numbers and floats of 32 bits, and other doubles.
TEST(KvCacheIdentity, TheBaseIsHashedAsItsShortestDecimal) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> floats(1, 1e7F);
  std::uniform_int_distribution<int> naturals(1, 100'000'000);
  for (int i = 0; i < 2000; ++i) {
    double base = i % 2 == 0 ? double{floats(random)} : naturals(random);
    if (i % 5 == 0) base *= 1.1;
    char digits[64];
    const auto end = std::to_chars(std::begin(digits), std::end(digits), base, std::chars_format::fixed).ptr;
    DecoderConfig config = tiny_llama();
    config.rope_freq_base = base;
    const uint64_t hash = fnv1a_64("llama|64|32|2|4|2|8|8|" + std::string(digits, end));
    ASSERT_EQ(std::stoull(kv::fingerprint(config), nullptr, 16), hash) << std::string(digits, end);
  }
}

TEST(KvCacheIdentity, FingerprintsHaveAllTheirDigits) {
  DecoderConfig config = tiny_llama();
  std::set<char> first;
  for (config.n_vocab = 1; config.n_vocab <= 1000; ++config.n_vocab) {
    const std::string text = kv::fingerprint(config);
    ASSERT_EQ(text.size(), 16u);
    ASSERT_EQ(text.find_first_not_of("0123456789abcdef"), std::string::npos);
    first.insert(text[0]);
  }
  EXPECT_EQ(first.size(), 16u) << "leading zeros among them";
}

TEST(KvCacheIdentity, EverySizeOfTheTextChangesTheFingerprint) {
  const std::string own = kv::fingerprint(tiny_llama());
  for (uint64_t DecoderConfig::* const size :
       {&DecoderConfig::n_vocab, &DecoderConfig::n_embd, &DecoderConfig::n_layers, &DecoderConfig::n_heads,
        &DecoderConfig::n_kv_heads, &DecoderConfig::head_dim, &DecoderConfig::rope_dim}) {
    DecoderConfig other = tiny_llama();
    ++(other.*size);
    EXPECT_NE(kv::fingerprint(other), own);
  }
  DecoderConfig same = tiny_llama();
  same.max_seq_len = 7;
  same.sliding_window = 5;
  EXPECT_EQ(kv::fingerprint(same), own);
}

TEST(KvCacheIdentity, MetadataOfASavedCache) {
  EXPECT_EQ(write_json(kv::identity_metadata(tiny_llama(), "tiny-llama")),
            R"({"model":"tiny-llama","fingerprint":"84f470b70687a2c2","rope_theta":"10000.0"})");
  EXPECT_EQ(kv::identity_metadata(tiny_llama(), "").find("model"), nullptr);
}

TEST(KvCacheIdentity, TheFixturesBelongToTheirModel) {
  for (const char* name : {"kv-f32", "kv-f16", "kv-bf16", "kv-bare", "kv-int4-packed", "kv-int4-float"}) {
    const Status status = kv::check_identity(cache_of(name), tiny_llama());
    EXPECT_TRUE(status) << name;
  }
  EXPECT_FALSE(kv::check_identity(cache_of("wide-f32"), tiny_llama()));
}

TEST(KvCacheIdentity, FilesWrittenForAModelBelongToIt) {
  kv::CacheFile file = cache_of("kv-bare");
  file.metadata = kv::identity_metadata(tiny_llama(), "a name");
  file.logits = 64;
  EXPECT_TRUE(kv::check_identity(file, tiny_llama()));
}

TEST(KvCacheIdentity, RopeThetaIsComparedAsANumber) {
  kv::CacheFile file = cache_of("kv-f32");
  for (const char* text : {"10000", "10000.0", "1e4", "1E+4", "10000.000", "10000.005", "9999.995"}) {
    file.metadata.set("rope_theta", text);
    EXPECT_TRUE(kv::check_identity(file, tiny_llama())) << text;
  }
  for (const char* text : {"", "x", "10000x", "10000.1", "-10000", "500000.0", "0", "NaN", "Infinity", "1e999",
                           "[10000]", "\"10000\"", "null", "true", "+10000", "10000,0"}) {
    file.metadata.set("rope_theta", text);
    const Status status = kv::check_identity(file, tiny_llama());
    ASSERT_FALSE(status) << text;
    EXPECT_EQ(status.error().code, Code::format);
    EXPECT_EQ(status.error().reason, Reason::mismatch);
  }
}

TEST(KvCacheIdentity, AnotherModelIsRejected) {
  const std::function<void(kv::CacheFile&)> edits[] = {
      [](kv::CacheFile& file) { ++file.shape.layers; },
      [](kv::CacheFile& file) { --file.shape.kv_heads; },
      [](kv::CacheFile& file) { file.shape.head_dim = 16; },
      [](kv::CacheFile& file) { file.logits = 63; },
      [](kv::CacheFile& file) { file.metadata.set("fingerprint", "nonsense"); },
      [](kv::CacheFile& file) { file.metadata.set("fingerprint", ""); },
      [](kv::CacheFile& file) { file.metadata.set("fingerprint", "84F470B70687A2C2"); },
      [](kv::CacheFile& file) { file.metadata.set("fingerprint", "90f1c406594b41c6"); },
  };
  for (const auto& edit : edits) {
    kv::CacheFile file = cache_of("kv-f32");
    edit(file);
    const Status status = kv::check_identity(file, tiny_llama());
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, Code::format);
    EXPECT_EQ(status.error().reason, Reason::mismatch);
    EXPECT_EQ(status.error().offset, 8u);
  }
}

// A window in one of two layers, and the long list of longrope.
DecoderConfig windowed() {
  DecoderConfig config = tiny_llama();
  config.sliding_window = 5;
  config.full_attention_layers = {false, true};
  config.long_rope.emplace().is_long = true;
  return config;
}

TEST(KvCacheIdentity, WindowsAndLongRopeAreInTheMetadata) {
  const Json metadata = kv::identity_metadata(windowed(), "");
  EXPECT_EQ(write_json(*metadata.find("sliding_window")), R"("5")");
  EXPECT_EQ(write_json(*metadata.find("full_attention_layers")), R"("1")");
  EXPECT_EQ(write_json(*metadata.find("rope_factors")), R"("long")");
}

TEST(KvCacheIdentity, WindowsAndLongRopeMustBeTheModels) {
  kv::CacheFile file = cache_of("kv-bare");
  EXPECT_TRUE(kv::check_identity(file, windowed())) << "a file of an earlier version";
  file.metadata = kv::identity_metadata(windowed(), "");
  EXPECT_TRUE(kv::check_identity(file, windowed()));
  for (const auto& [key, text] : std::vector<std::pair<const char*, const char*>>{
           {"sliding_window", "6"}, {"full_attention_layers", "0,1"}, {"rope_factors", "short"}}) {
    kv::CacheFile other = file;
    other.metadata.set(key, text);
    const Status status = kv::check_identity(other, windowed());
    ASSERT_FALSE(status) << key;
    EXPECT_EQ(status.error().reason, Reason::mismatch);
    EXPECT_NE(status.error().detail.find(key), std::string::npos) << status.error().detail;
  }
  EXPECT_FALSE(kv::check_identity(file, tiny_llama())) << "a model without a window";
}

// llama.cpp reorders the heads of values of a gated DeltaNet, and with them its states.
TEST(KvCacheIdentity, TheOrderOfHeadsMustBeTheModels) {
  DecoderConfig tiled = tiny_llama();
  tiled.has_tiled_delta_heads = true;
  kv::CacheFile file = cache_of("kv-bare");
  EXPECT_TRUE(kv::check_identity(file, tiny_llama()));
  EXPECT_FALSE(kv::check_identity(file, tiled)) << "other programs have the order of transformers";
  file.metadata = kv::identity_metadata(tiled, "");
  EXPECT_TRUE(kv::check_identity(file, tiled));
  EXPECT_FALSE(kv::check_identity(file, tiny_llama()));
}

TEST(KvCacheIdentity, YarnIsInTheMetadata) {
  DecoderConfig config = tiny_llama();
  config.yarn_rope = YarnRope{.factor = 16, .original_max_seq_len = 16384};
  kv::CacheFile file = cache_of("kv-bare");
  file.metadata = kv::identity_metadata(config, "");
  EXPECT_EQ(write_json(*file.metadata.find("rope_factors")), R"("yarn 16")");
  EXPECT_TRUE(kv::check_identity(file, config));
  EXPECT_FALSE(kv::check_identity(file, tiny_llama()));
  config.yarn_rope->factor = 4;
  EXPECT_FALSE(kv::check_identity(file, config));
}

TEST(KvCacheIdentity, ANameDoesNotChangeTheModel) {
  kv::CacheFile file = cache_of("kv-f32");
  file.metadata.set("model", "another-model");
  EXPECT_TRUE(kv::check_identity(file, tiny_llama()));
}

}  // namespace
}  // namespace quintet::test
