// Files that were given to the wrong class: the error names the right one.

#include "formats/model_classes.h"

#include <gtest/gtest.h>

#include "formats/description_sink.h"
#include "runtime/embedding/embedder_loader.h"
#include "runtime/tokenize/standalone_tokenizer.h"
#include "runtime/tokenize/tokenizer_file.h"
#include "tests/formats/gguf_builder.h"
#include "tests/formats/loading.h"
#include "tests/golden/classifying.h"

namespace quintet::test {
namespace {

struct Sample {
  Format format;
  File bytes;
  std::string file;    // as messages name it
  std::string reader;  // the class that accepts it
};

std::vector<Sample> samples() {
  return {
      {Format::embd, fixture("embd/f32.weights"), "a .weights file", "Embedder"},
      {Format::safetensors, fixture("safetensors/dtypes.safetensors"), "a safetensors file", "TextGenerator"},
      {Format::amb, fixture("amb/llama-f32.amb"), "an AMB file", "TextGenerator"},
      {Format::alt, fixture("alt/f32.alt"), "an ALT file", "TextGenerator"},
      {Format::tinyruntime, fixture("tinyruntime/r18-plain-dq.bin"), "a tinyRuntime file", "ImageClassifier"},
      {Format::gguf, tiny_gguf_llama().build(), "a GGUF file", "TextGenerator"},
  };
}

Status load_embedder(const File& file) {
  EmbedderLoader loader({});
  QUINTET_CHECK(loader.begin_file("", file.size()));
  QUINTET_CHECK(loader.feed(file));
  return loader.end_file();
}

Result<StandaloneTokenizer> load_tokenizer(const File& file) {
  DescriptionSink sink;
  ByteStream in(file.size());
  Parse<void> parse = read_tokenizer_file(in, std::nullopt, sink, {});
  QUINTET_CHECK(drive(file, in, parse, 1000));
  return StandaloneTokenizer::create(sink.take());
}

template <class T>
void expect_refused(const Result<T>& loaded, Format format, const std::string& message) {
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, Code::unsupported);
  EXPECT_EQ(loaded.error().reason, Reason::unsupported);
  EXPECT_EQ(loaded.error().format, name_of(format));
  EXPECT_EQ(loaded.error().detail, message);
}

TEST(ModelClasses, AnEmbedderNamesTheClassForOtherFiles) {
  for (const Sample& each : samples()) {
    SCOPED_TRACE(each.file);
    const Status loaded = load_embedder(each.bytes);
    if (each.format == Format::embd) {
      EXPECT_TRUE(loaded) << loaded.error().detail;
      continue;
    }
    if (each.format == Format::safetensors) {
      // The tensors of an encoder are read, but not without their folder.
      ASSERT_FALSE(loaded);
      EXPECT_EQ(loaded.error().code, Code::input);
      EXPECT_NE(loaded.error().detail.find("config.json"), std::string::npos);
    } else if (each.format == Format::gguf) {
      ASSERT_FALSE(loaded);
      EXPECT_EQ(loaded.error().code, Code::unsupported);
      EXPECT_NE(loaded.error().detail.find("supported are bert, jina-bert-v2"), std::string::npos);
    } else {
      expect_refused(loaded, each.format, each.file + " is read by " + each.reader + ", not by Embedder");
    }
  }
}

TEST(ModelClasses, ATextGeneratorNamesTheClassForOtherFiles) {
  for (const Sample& each : samples()) {
    SCOPED_TRACE(each.file);
    const LoadedModel loaded = load(each.bytes);
    if (each.format == Format::safetensors) {
      // The tensors of a decoder are read, but not without their folder.
      ASSERT_FALSE(loaded);
      EXPECT_EQ(loaded.error().code, Code::input);
      EXPECT_NE(loaded.error().detail.find("config.json"), std::string::npos);
    } else if (each.reader == "TextGenerator") {
      EXPECT_TRUE(loaded) << loaded.error().detail;
    } else {
      expect_refused(loaded, each.format, each.file + " is read by " + each.reader + ", not by TextGenerator");
    }
  }
}

TEST(ModelClasses, AnImageClassifierNamesTheClassForOtherFiles) {
  for (const Sample& each : samples()) {
    SCOPED_TRACE(each.file);
    const LoadedClassifier loaded = load_classifier(each.bytes);
    if (each.format == Format::tinyruntime) {
      EXPECT_TRUE(loaded) << loaded.error().detail;
      continue;
    }
    if (each.format == Format::safetensors) {
      // Image networks may be in one, but not any tensors.
      ASSERT_FALSE(loaded);
      EXPECT_EQ(loaded.error().code, Code::unsupported);
      EXPECT_EQ(loaded.error().detail, "the tensor names are not those of an image network that is known");
      continue;
    }
    expect_refused(loaded, each.format, each.file + " is read by " + each.reader + ", not by ImageClassifier");
  }
}

TEST(ModelClasses, ATokenizerNamesTheClassForFilesWithoutOne) {
  for (const Sample& each : samples()) {
    SCOPED_TRACE(each.file);
    const Result<StandaloneTokenizer> loaded = load_tokenizer(each.bytes);
    if (each.format == Format::embd || each.format == Format::alt || each.format == Format::gguf) {
      EXPECT_TRUE(loaded) << loaded.error().detail;
      continue;
    }
    const std::string beside = "; use the tokenizer.json, tokenizer.model or vocab.txt next to it";
    expect_refused(loaded, each.format,
                   each.file + " without a tokenizer is read by " + each.reader + ", not by Tokenizer" +
                       (each.format == Format::safetensors ? beside : ""));
  }
}

TEST(ModelClasses, AnUnknownKindOfTokenizerIsUnsupported) {
  const Result<StandaloneTokenizer> loaded = load_tokenizer(fixture("amb/tok-custom.amb"));
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, Code::unsupported);
  EXPECT_EQ(loaded.error().detail,
            "a tokenizer of type custom is not supported, only SentencePiece, BPE and WordPiece");
}

}  // namespace
}  // namespace quintet::test
