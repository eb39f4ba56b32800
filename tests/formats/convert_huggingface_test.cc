// A Hugging Face folder made of a fixture's weights must become that fixture.

#include <gtest/gtest.h>

#include <string>

#include "base/half.h"
#include "tests/formats/converting.h"
#include "tests/formats/plain_weights.h"

namespace quintet::test {
namespace {

constexpr std::string_view kConfig =
    R"({"_name_or_path": "someone/tiny-bert-public", "model_type": "bert",
  "hidden_act": "gelu", "hidden_size": 32, "intermediate_size": 64, "layer_norm_eps": 1e-12,
  "max_position_embeddings": 64, "num_attention_heads": 4, "num_hidden_layers": 2, "type_vocab_size": 2,
  "vocab_size": 420})";

std::string options(std::string_view more = "") {
  return R"({"to":"weights","metadata":{"created_at":"2025-01-16T12:00:00Z"})" + std::string(more) + "}";
}

PlainWeights plain() { return read_plain_weights(fixture("embd/f32.weights")); }

File vocab_txt() {
  std::string text;
  for (const std::string& token : plain().tokens) text += token + "\n";
  return file_of(text);
}

std::string tokenizer_json(std::string_view normalizer = R"({"type":"BertNormalizer","clean_text":true,
    "handle_chinese_chars":true,"strip_accents":null,"lowercase":true})") {
  Json vocabulary = Json::object();
  const PlainWeights model = plain();
  for (size_t id = model.tokens.size(); id-- > 0;) vocabulary.append(model.tokens[id], uint64_t{id});
  return R"({"normalizer":)" + std::string(normalizer) +
         R"(,"pre_tokenizer":{"type":"BertPreTokenizer"},
      "model":{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##","max_input_chars_per_word":100,
      "vocab":)" +
         write_json(vocabulary) + "}}";
}

// Tensors of f32.weights in the order of the file, so that the output has it too.
std::vector<std::string> names_in_order() {
  std::vector<std::string> names;
  const auto file = read_file(fixture("embd/f32.weights"));
  for (const TensorInfo& info : file->description.tensors) names.push_back(info.name);
  return names;
}

struct Extra {
  std::string name, dtype;
  uint64_t bytes;
};

// `dtype` F32, F16 or F64.
File safetensors(std::string_view prefix, std::string_view dtype, const std::vector<Extra>& extras = {}) {
  std::string header = R"({"__metadata__":{"format":"pt"})";
  std::string data;
  const auto entry = [&](const std::string& name, std::string_view type, const std::string& shape,
                         std::string_view bytes) {
    header += ",\"" + name + "\":{\"dtype\":\"" + std::string(type) + "\",\"shape\":" + shape + ",\"data_offsets\":[" +
              std::to_string(data.size()) + "," + std::to_string(data.size() + bytes.size()) + "]}";
    data += bytes;
  };
  for (const Extra& extra : extras) {
    entry(extra.name, extra.dtype, "[" + std::to_string(extra.bytes / 8) + "]", std::string(extra.bytes, '\0'));
  }
  const PlainWeights model = plain();
  for (const std::string& name : names_in_order()) {
    const PlainTensor& tensor = model.tensors.at(name);
    std::string bytes;
    for (const double value : tensor.values) {
      const float single = static_cast<float>(value);
      const uint16_t half = f32_to_f16(single);
      if (dtype == "F64") bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
      if (dtype == "F32") bytes.append(reinterpret_cast<const char*>(&single), sizeof(single));
      if (dtype == "F16") bytes.append(reinterpret_cast<const char*>(&half), sizeof(half));
    }
    std::string shape = "[" + std::to_string(tensor.shape[0]);
    if (tensor.shape.size() > 1) shape += "," + std::to_string(tensor.shape[1]);
    entry(std::string(prefix) + name, dtype, shape + "]", bytes);
  }
  header += "}";
  const uint64_t length = header.size();
  return file_of(std::string(reinterpret_cast<const char*>(&length), sizeof(length)) + header + data);
}

NamedFiles folder(File weights) {
  return {{"config.json", file_of(kConfig)}, {"vocab.txt", vocab_txt()}, {"model.safetensors", std::move(weights)}};
}

TEST(ConvertHuggingFace, BecomesTheFileOfTheSameWeights) {
  const File expected = fixture("embd/f32.weights");
  for (const size_t chunk : {size_t{1000}, SIZE_MAX}) {
    for (const bool known : {true, false}) {
      const auto converted =
          convert(folder(safetensors("", "F32")), options(), {.chunk = chunk, .length_known = known});
      ASSERT_TRUE(converted) << converted.error().detail;
      EXPECT_EQ(*converted, expected);
    }
  }
}

TEST(ConvertHuggingFace, APrefixIsCutAndWhatIsNotOfTheEncoderIsLeftOut) {
  const File weights =
      safetensors("bert.", "F32", {{"bert.embeddings.position_ids", "I64", 64}, {"cls.predictions.bias", "F64", 16}});
  const auto converted = convert(folder(weights), options());
  ASSERT_TRUE(converted) << converted.error().detail;
  EXPECT_EQ(*converted, fixture("embd/f32.weights"));
}

TEST(ConvertHuggingFace, OtherTypes) {
  EXPECT_EQ(*convert(folder(safetensors("", "F16")), options()), fixture("embd/f16.weights"));
  EXPECT_EQ(*convert(folder(safetensors("", "F64")), options()), fixture("embd/f32.weights"));
  EXPECT_EQ(*convert(folder(safetensors("", "F32")), options(R"(,"quantize":"int8-row")")),
            fixture("embd/int8-row.weights"));
  EXPECT_EQ(*convert(folder(safetensors("", "F32")), options(R"(,"quantize":"int8-group","groupSize":16)")),
            fixture("embd/int8-group-16.weights"));
}

TEST(ConvertHuggingFace, TheVocabularyComesFromTokenizerJsonAsWell) {
  NamedFiles files = folder(safetensors("", "F32"));
  files[1] = {"tokenizer.json", file_of(tokenizer_json())};
  const auto converted = convert(files, options());
  ASSERT_TRUE(converted) << converted.error().detail;
  EXPECT_EQ(*converted, fixture("embd/f32.weights"));
}

TEST(ConvertHuggingFace, LinesMayEndAsOnWindows) {
  std::string text(as_text(vocab_txt()));
  for (size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) text.insert(at, "\r");
  NamedFiles files = folder(safetensors("", "F32"));
  files[1].second = file_of(text);
  EXPECT_EQ(*convert(files, options()), fixture("embd/f32.weights"));
}

void expect_refused(const NamedFiles& files, Code code) {
  const auto converted = convert(files, options());
  ASSERT_FALSE(converted);
  EXPECT_EQ(converted.error().code, code) << converted.error().detail;
}

TEST(ConvertHuggingFace, AnotherModelOrTokenizerIsNotSupported) {
  const File weights = safetensors("", "F32");
  for (const auto& [from, to] : {std::pair<std::string, std::string>{"\"bert\"", "\"roberta\""},
                                 {"\"gelu\"", "\"gelu_new\""},
                                 {"1e-12", "1e-5"},
                                 {"\"type_vocab_size\"", "\"position_embedding_type\": \"relative_key\", \"x\""}}) {
    std::string config(kConfig);
    config.replace(config.find(from), from.size(), to);
    NamedFiles other = folder(weights);
    other[0].second = file_of(config);
    expect_refused(other, Code::unsupported);
  }
  for (const char* normalizer : {R"({"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,
                                     "strip_accents":false,"lowercase":true})",
                                 R"({"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,
                                     "strip_accents":null,"lowercase":false})",
                                 R"({"type":"NFC"})", "null"}) {
    NamedFiles other = folder(weights);
    other[1] = {"tokenizer.json", file_of(tokenizer_json(normalizer))};
    expect_refused(other, Code::unsupported);
  }
  NamedFiles cased = folder(weights);
  cased.insert(cased.begin(), {"tokenizer_config.json", file_of(R"({"do_lower_case":false})")});
  expect_refused(cased, Code::unsupported);
}

TEST(ConvertHuggingFace, PartsThatDoNotFitAreRejected) {
  const File weights = safetensors("", "F32");
  NamedFiles files = folder(weights);
  expect_refused({{"model.safetensors", weights}}, Code::input);            // nothing describes it
  expect_refused({files[0], {"model.safetensors", weights}}, Code::input);  // no vocabulary
  expect_refused({files[1], {"model.safetensors", weights}}, Code::input);  // no config.json
  expect_refused({files[0], files[1]}, Code::input);                        // no model
  expect_refused({files[0], files[1], files[2], files[2]}, Code::input);    // two models
  expect_refused({files[0], files[1], {"", fixture("embd/f32.weights")}},
                 Code::input);  // which describes itself

  NamedFiles short_vocabulary = files;
  short_vocabulary[1].second = file_of("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n");
  expect_refused(short_vocabulary, Code::input);

  NamedFiles other_sizes = files;
  std::string config(kConfig);
  config.replace(config.find("\"num_hidden_layers\": 2"), 22, "\"num_hidden_layers\": 3");
  other_sizes[0].second = file_of(config);
  expect_refused(other_sizes, Code::format);
}

TEST(ConvertHuggingFace, TextThatIsBrokenNamesItsFormatAndPlace) {
  const auto converted = convert(NamedFiles{{"config.json", file_of("{\"hidden_size\": }")}}, options());
  ASSERT_FALSE(converted);
  EXPECT_EQ(converted.error().code, Code::format);
  EXPECT_EQ(converted.error().format, "huggingface");
  EXPECT_EQ(converted.error().offset, 16u);
}

}  // namespace
}  // namespace quintet::test
