// The describing files of a folder together: which one counts, which tokens are special, and what does not fit.

#include "formats/huggingface/folder.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "architectures/decoder/config.h"
#include "formats/sentencepiece/model_proto.h"
#include "formats/tokenizer_check.h"
#include "tests/formats/folder_texts.h"
#include "tests/formats/reading.h"

namespace quintet::test {
namespace {

using huggingface::Folder;

// Tokens a, b, ab and <|end|>, over bytes.
std::pair<std::string, std::string> byte_level(
    const std::string& pre_tokenizer = R"({"type":"ByteLevel","add_prefix_space":false})") {
  return {"tokenizer.json", R"({"added_tokens":[{"id":3,"content":"<|end|>","special":true}],"pre_tokenizer":)" +
                                pre_tokenizer +
                                R"(,"model":{"type":"BPE","vocab":{"a":0,"b":1,"ab":2},"merges":["a b"]}})"};
}

std::pair<std::string, std::string> tokenizer_model() {
  return {"tokenizer.model", std::string(as_text(fixture("sentencepiece/tok512.model")))};
}

// The file next to it if tokens were added, as for Phi-3.
std::pair<std::string, std::string> with_added(const std::string& added) {
  const auto model = sentencepiece::read_model_proto(fixture("sentencepiece/tok512.model"));
  Json vocabulary = Json::object();
  for (size_t id = 0; id < model->size(); ++id) vocabulary.append(std::string(model->tokens[id]), uint64_t{id});
  return {"tokenizer.json", R"({"added_tokens":)" + added +
                                R"(,"pre_tokenizer":{"type":"Metaspace","replacement":"▁","split":false},
      "model":{"type":"BPE","byte_fallback":true,"vocab":)" +
                                write_json(vocabulary) + R"(,"merges":[]}})"};
}

std::string first_words(const Error& error) { return error.detail.substr(0, error.detail.find(':')); }

TEST(HuggingFaceFolder, OfADecoderWithATokenizerOverBytes) {
  const auto model = describe({config("phi", 6, R"(,"_name_or_path":"acme/Tiny-Phi","eos_token_id":3)"), byte_level()});
  ASSERT_TRUE(model) << model.error().detail;
  EXPECT_EQ(model->architecture, "phi");
  EXPECT_EQ(write_json(model->metadata), R"({"name":"Tiny-Phi"})");
  EXPECT_EQ(
      write_json(amb_config(*read_decoder_config(*model))),
      R"({"architecture":"phi","n_vocab":6,"n_embd":8,"n_layers":1,"n_heads":2,"n_kv_heads":2,"max_seq_len":2048,)"
      R"("is_rope":true,"activation_fn":"gelu_new","rope_freq_base":10000.0,"rope_scaling":1.0,"n_ff":16,)"
      R"("head_dim":4,"norm_eps":0.00001,"rope_dim":2,"sliding_window":0,"tie_embeddings":false})");
  EXPECT_EQ(model->tokenizer.type(), TokenizerType::bpe);
  EXPECT_EQ(model->tokenizer.size(), 4u);
  EXPECT_EQ(model->tokenizer.special.eos, 3u);
  EXPECT_EQ(model->tokenizer.special.bos, std::nullopt);
}

TEST(HuggingFaceFolder, ThePatternIsPartOfTheTokenizer) {
  const std::string llama3 =
      R"({"type":"Sequence","pretokenizers":[{"type":"Split","pattern":{"Regex":"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"},
      "behavior":"Isolated","invert":false},{"type":"ByteLevel","add_prefix_space":false,"use_regex":false}]})";
  const auto model = describe({config("llama", 6), byte_level(llama3)});
  ASSERT_TRUE(model) << model.error().detail;
  EXPECT_EQ(model->tokenizer.bpe()->pre_tokenizer, "llama3");
  EXPECT_FALSE(model->tokenizer.bpe()->ignore_merges);
  EXPECT_EQ(model->tokenizer.add_bos, false);
  EXPECT_EQ(model->config.find("pre_tokenizer"), nullptr);
}

TEST(HuggingFaceFolder, OfADecoderWithoutATokenizer) {
  const auto model = describe({config("llama", 320)});
  ASSERT_TRUE(model) << model.error().detail;
  EXPECT_EQ(model->tokenizer.type(), TokenizerType::none);
  EXPECT_EQ(write_json(model->metadata), R"({"name":"llama"})");
}

TEST(HuggingFaceFolder, TokenizerModelWinsAndKeepsItsBytes) {
  for (const bool first : {true, false}) {
    std::vector<NamedText> files = {config("llama", 512), with_added(R"([{"id":1,"content":"<s>","special":true}])")};
    files.insert(first ? files.begin() : files.end(), tokenizer_model());
    const auto model = describe(files);
    ASSERT_TRUE(model) << model.error().detail;
    EXPECT_EQ(model->tokenizer.size(), 512u);
    EXPECT_EQ(model->tokenizer.sentencepiece()->proto, fixture("sentencepiece/tok512.model"));
    EXPECT_EQ(model->tokenizer.special.bos, 1u);
    EXPECT_EQ(model->tokenizer.special.eos, 2u);
  }
}

TEST(HuggingFaceFolder, AddedTokensFollowThePieces) {
  const auto check = [](const Result<ModelDescription>& model) {
    ASSERT_TRUE(model) << model.error().detail;
    const TokenizerDescription& tokenizer = model->tokenizer;
    ASSERT_EQ(tokenizer.size(), 514u);
    EXPECT_EQ(tokenizer.tokens[512], "<|end|>");
    EXPECT_EQ(tokenizer.piece_types[512], PieceType::control);
    EXPECT_EQ(tokenizer.tokens[513], "<|user|>");
    EXPECT_EQ(tokenizer.piece_types[513], PieceType::user_defined);
    EXPECT_EQ(tokenizer.sentencepiece()->scores.size(), 514u);
    EXPECT_TRUE(tokenizer.sentencepiece()->proto.empty());  // the proto does not have them
    EXPECT_EQ(tokenizer.special.eos, 512u);
    EXPECT_TRUE(sentencepiece::write_model_proto(tokenizer));
  };
  check(describe({config("phi3", 520),
                  tokenizer_model(),
                  with_added(R"([{"id":512,"content":"<|end|>","special":true},{"id":513,"content":"<|user|>"}])"),
                  {"tokenizer_config.json", R"({"eos_token":"<|end|>"})"}}));
  check(describe({config("phi3", 520),
                  tokenizer_model(),
                  {"tokenizer_config.json", R"({"eos_token":"<|end|>","added_tokens_decoder":{
                      "1":{"content":"<s>","special":true},"512":{"content":"<|end|>","special":true},
                      "513":{"content":"<|user|>","special":false}}})"}}));
  EXPECT_FALSE(describe({config("phi3", 520), tokenizer_model(), with_added(R"([{"id":513,"content":"x"}])")}));
}

TEST(HuggingFaceFolder, OverBytesTokenizerModelIsSomethingElse) {
  const auto model = describe({config("llama", 6), {"tokenizer.model", "IQ== 0\nIg== 1\n"}, byte_level()});
  ASSERT_TRUE(model) << model.error().detail;
  EXPECT_EQ(model->tokenizer.type(), TokenizerType::bpe);
}

TEST(HuggingFaceFolder, SpecialTokensAreNamedOrNumbered) {
  const auto special = [](const std::string& more, const std::string& map, const std::string& own) {
    const auto model = describe(
        {config("llama", 6, more), byte_level(), {"special_tokens_map.json", map}, {"tokenizer_config.json", own}});
    EXPECT_TRUE(model) << model.error().detail;
    return model->tokenizer.special;
  };
  EXPECT_EQ(special(R"(,"bos_token_id":0)", "{}", "{}").bos, 0u);
  EXPECT_EQ(special(R"(,"eos_token_id":[1,2])", "{}", "{}").eos, 1u);
  EXPECT_EQ(special(R"(,"eos_token_id":[])", "{}", "{}").eos, std::nullopt);
  EXPECT_EQ(special(R"(,"pad_token_id":null)", "{}", "{}").pad, std::nullopt);
  EXPECT_EQ(special(R"(,"eos_token_id":0)", R"({"eos_token":"b"})", "{}").eos, 1u);
  EXPECT_EQ(special("", R"({"eos_token":"b"})", R"({"eos_token":{"content":"<|end|>"}})").eos, 3u);
  EXPECT_EQ(special("", "{}", R"({"eos_token":"not a token","pad_token":null})").eos, std::nullopt);
}

// Tokens a, b and ab, of which a and b may stand around a text.
std::pair<std::string, std::string> with_template(const std::string& single) {
  return {"tokenizer.json", R"({"pre_tokenizer":{"type":"ByteLevel","add_prefix_space":false},"post_processor":{
      "type":"TemplateProcessing","single":[)" +
                                single + R"(],"special_tokens":{"a":{"ids":[0]},"b":{"ids":[1]}}},
      "model":{"type":"BPE","vocab":{"a":0,"b":1,"ab":2},"merges":["a b"]}})"};
}

TEST(HuggingFaceFolder, SeveralTokensMayBeginATextOfATokenizerAlone) {
  const std::string a = R"({"SpecialToken":{"id":"a"}},)", b = R"({"SpecialToken":{"id":"b"}},)";
  const std::string text = R"({"Sequence":{"id":"A"}})";
  EXPECT_EQ(describe({config("llama", 6), with_template(a + b + text)}).error().code, Code::unsupported);
  EXPECT_TRUE(describe({config("llama", 6), with_template(a + text)}));
  Folder folder;
  ASSERT_TRUE(folder.add("tokenizer.json", with_template(a + b + text).second));
  EXPECT_EQ(folder.describe_tokenizer()->tokenizer.frame.single.size(), 3u);
}

// The configuration of a tokenizer only counts against its post-processor where the two differ.
TEST(HuggingFaceFolder, TokenizerConfigDecidesWhichTokensAreAdded) {
  const auto tokenizer = [](const std::string& flags) {
    const std::string single = R"({"Sequence":{"id":"A"}},{"SpecialToken":{"id":"b"}})";
    return describe({config("llama", 6), with_template(single), {"tokenizer_config.json", flags}})->tokenizer;
  };
  EXPECT_FALSE(tokenizer("{}").frame.empty());
  EXPECT_FALSE(tokenizer(R"({"add_bos_token":false})").frame.empty());
  EXPECT_FALSE(tokenizer(R"({"add_eos_token":true})").frame.empty());
  EXPECT_TRUE(tokenizer(R"({"add_eos_token":false})").frame.empty());
  EXPECT_EQ(tokenizer(R"({"add_eos_token":false})").add_eos, false);
  EXPECT_TRUE(tokenizer(R"({"add_bos_token":true})").frame.empty());
  EXPECT_EQ(tokenizer(R"({"add_bos_token":true})").add_bos, true);
  EXPECT_EQ(tokenizer(R"({"add_bos_token":true})").add_eos, true);
}

// `lstrip` and `rstrip`, of the vocabulary's tokens too.
TEST(HuggingFaceFolder, AddedTokensMayStripTheSpacesAroundThem) {
  using Ids = std::vector<uint32_t>;
  const auto check = [](const Result<ModelDescription>& model) {
    ASSERT_TRUE(model) << model.error().detail;
    EXPECT_EQ(model->tokenizer.trims_left, (Ids{2}));
    EXPECT_EQ(model->tokenizer.trims_right, (Ids{2, 512}));
  };
  const auto added = with_added(R"([{"id":512,"content":"<|end|>","special":true,"rstrip":true},
      {"id":2,"content":"</s>","special":true,"lstrip":true,"rstrip":true},{"id":1,"content":"<s>","lstrip":false}])");
  check(describe({config("phi3", 520), added}));
  check(describe({config("phi3", 520), tokenizer_model(), added}));
}

// The error of a vocabulary that does not fit the configuration.
Code misfit(const std::vector<NamedText>& files) {
  const auto model = describe(files);
  EXPECT_TRUE(model) << model.error().detail;
  const auto config = read_decoder_config(*model);
  EXPECT_TRUE(config) << config.error().detail;
  const Status status = check_tokenizer(model->tokenizer, config->n_vocab);
  EXPECT_FALSE(status);
  return status ? Code::internal : status.error().code;
}

TEST(HuggingFaceFolder, EveryEndTokenIsRead) {
  const auto ends = [](const std::string& more, const std::string& generation) {
    const auto model = describe({config("llama", 6, more), byte_level(), {"generation_config.json", generation}});
    EXPECT_TRUE(model) << model.error().detail;
    return model->tokenizer.ends;
  };
  using Ids = std::vector<uint32_t>;
  EXPECT_EQ(ends("", "{}"), (Ids{3}));  // <|end|>, by its text
  EXPECT_EQ(ends(R"(,"eos_token_id":[1,2])", "{}"), (Ids{1, 2, 3}));
  EXPECT_EQ(ends("", R"({"eos_token_id":[5,0]})"), (Ids{0, 3, 5}));
  EXPECT_EQ(ends(R"(,"eos_token_id":2)", R"({"eos_token_id":1,"temperature":0.6})"), (Ids{1, 2, 3}));
  const auto wrong = [](const std::string& generation) {
    return describe({config("llama", 6), byte_level(), {"generation_config.json", generation}}).error();
  };
  EXPECT_EQ(first_words(wrong(R"({"eos_token_id":"2"})")), "generation_config.json");
  EXPECT_EQ(misfit({config("llama", 6), byte_level(), {"generation_config.json", R"({"eos_token_id":[1,6]})"}}),
            Code::format);  // the model has 6 tokens
}

TEST(HuggingFaceFolder, ChatTemplates) {
  const auto chat_template = [](std::vector<NamedText> files) -> std::string {
    files.insert(files.begin(), {config("llama", 6), byte_level()});
    const auto model = describe(files);
    EXPECT_TRUE(model) << model.error().detail;
    const Json* value = model->metadata.find("chat_template");
    return !value ? "" : value->as_string() ? *value->as_string() : write_json(*value);
  };
  const auto own = [](const std::string& value) {
    return std::pair<std::string, std::string>("tokenizer_config.json", R"({"chat_template":)" + value + "}");
  };
  const std::string named = R"([{"name":"tool_use","template":"t"},{"name":"default","template":"d"}])";
  EXPECT_EQ(chat_template({}), "");
  EXPECT_EQ(chat_template({own(R"("x")")}), "x");
  EXPECT_EQ(chat_template({own(named)}), named);
  EXPECT_EQ(chat_template({own("7")}), "");
  EXPECT_EQ(chat_template({own(R"("x")"), {"chat_template.jinja", "{{ y }}"}}), "{{ y }}");
  EXPECT_EQ(Folder().add("chat_template.jinja", "\xFF").error().reason, Reason::invalid_utf8);
}

TEST(HuggingFaceFolder, ATokenizerAlone) {
  Folder folder;
  const auto [name, text] = byte_level();
  ASSERT_TRUE(folder.add(name, text));
  ASSERT_TRUE(folder.add("tokenizer_config.json", R"({"bos_token":"b","add_bos_token":true,"chat_template":"x"})"));
  const auto model = folder.describe_tokenizer();
  ASSERT_TRUE(model) << model.error().detail;
  EXPECT_EQ(model->tokenizer.type(), TokenizerType::bpe);
  EXPECT_EQ(model->tokenizer.special.bos, 1u);
  EXPECT_EQ(model->tokenizer.add_bos, true);
  EXPECT_EQ(model->tokenizer.ends, (std::vector<uint32_t>{3}));
  EXPECT_EQ(*model->metadata.find("chat_template")->as_string(), "x");
  EXPECT_EQ(Folder().describe_tokenizer().error().code, Code::input);
  Folder wordpiece;
  ASSERT_TRUE(wordpiece.add("vocab.txt", "[PAD]\n[UNK]\n"));
  EXPECT_EQ(wordpiece.describe_tokenizer()->tokenizer.type(), TokenizerType::wordpiece);
}

TEST(HuggingFaceFolder, ErrorsNameTheFile) {
  for (const char* name : {"config.json", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json",
                           "generation_config.json", "model.safetensors.index.json"}) {
    for (const char* text : {"", "[1]", "{\"a\": }", "{\"a\":1,\"a\":2}"}) {
      const auto model = describe({{name, text}});
      ASSERT_FALSE(model);
      EXPECT_EQ(model.error().code, Code::format);
      EXPECT_EQ(first_words(model.error()), name) << model.error().detail;
    }
  }
  EXPECT_EQ(first_words(describe({config("llama", 9), {"tokenizer.model", "noise"}}).error()), "tokenizer.model");
  EXPECT_EQ(first_words(
                describe({config("llama", 9), byte_level(), {"tokenizer_config.json", R"({"eos_token":3})"}}).error()),
            "tokenizer_config.json");
  EXPECT_EQ(describe({config("llama", 9, R"(,"eos_token_id":-1)"), byte_level()}).error().code, Code::format);
}

// Python writes it where a number is not finite.
TEST(HuggingFaceFolder, AnInfinityInAConfigurationIsNull) {
  const auto described =
      describe({config("llama", 6, R"(,"name":"to Infinity \" Infinity","x":[0.0, Infinity])"), byte_level()});
  ASSERT_TRUE(described) << described.error().detail;
  EXPECT_EQ(*described->config.find("name")->as_string(), "to Infinity \" Infinity");
  EXPECT_TRUE((*described->config.find("x")->as_array())[1].is_null());
}

TEST(HuggingFaceFolder, PartsThatDoNotFitAreRejected) {
  EXPECT_EQ(describe({byte_level()}).error().code, Code::input);
  EXPECT_EQ(read_decoder_config(*describe({config("bloom", 6), byte_level()})).error().code, Code::unsupported);
  EXPECT_EQ(misfit({config("llama", 3), byte_level()}), Code::format);  // four tokens
  EXPECT_EQ(misfit({config("llama", 511), tokenizer_model()}), Code::format);
  EXPECT_EQ(misfit({config("llama", 6, R"(,"eos_token_id":6)"), byte_level()}), Code::format);
  EXPECT_EQ(describe({config("llama", 6), {"vocab.txt", "[PAD]\n[UNK]\n"}}).error().code, Code::unsupported);
  const std::pair<std::string, std::string> unigram = {"tokenizer.json", R"({"model":{"type":"Unigram"}})"};
  for (const char* model : {"llama", "bert"}) {
    EXPECT_EQ(describe({config(model, 6), unigram}).error().code, Code::unsupported) << model;
  }
}

TEST(HuggingFaceFolder, OfBert) {
  const auto model = describe({config("bert", 6, R"(,"max_position_embeddings":16)"), {"vocab.txt", "[PAD]\n[UNK]\n"}});
  ASSERT_TRUE(model) << model.error().detail;
  EXPECT_EQ(model->architecture, "bert");
  EXPECT_EQ(model->config.find("hidden_size")->as_uint(), 8u);
  EXPECT_EQ(model->tokenizer.type(), TokenizerType::wordpiece);
}

TEST(HuggingFaceFolder, BothFilesSayWhetherBytesBeginWithASpace) {
  for (const bool in_config : {false, true}) {
    const std::string flag = in_config ? "true" : "false";
    const auto model = describe({config("llama", 4),
                                 byte_level(R"({"type":"ByteLevel","add_prefix_space":false})"),
                                 {"tokenizer_config.json", R"({"add_prefix_space":)" + flag + "}"}});
    EXPECT_EQ(model.has_value(), !in_config);
  }
}

TEST(HuggingFaceFolder, ReadsDescribingFilesAndIgnoresTheRest) {
  for (const char* name : {"added_tokens.json", "vocab.json", "merges.txt"}) {
    EXPECT_TRUE(Folder::takes(name));
    Folder folder;
    EXPECT_TRUE(folder.add(name, "anything"));
    EXPECT_TRUE(folder.empty());
  }
  for (const char* name : {"model.safetensors", "model-00001-of-00002.safetensors", "README.md", ""}) {
    EXPECT_FALSE(Folder::takes(name));
  }
  EXPECT_TRUE(Folder().add("model.safetensors.index.json", R"({"metadata":{},"weight_map":{"a":"b.safetensors"}})"));
  EXPECT_FALSE(Folder().add("model.safetensors.index.json", R"({"weight_map":{"a":3}})"));
}

TEST(HuggingFaceFolder, BuffersAreIgnored) {
  EXPECT_TRUE(huggingface::is_ignored_tensor("model.layers.3.self_attn.rotary_emb.inv_freq"));
  EXPECT_TRUE(huggingface::is_ignored_tensor("embeddings.position_ids"));
  EXPECT_FALSE(huggingface::is_ignored_tensor("model.layers.3.self_attn.q_proj.bias"));
  EXPECT_FALSE(huggingface::is_ignored_tensor("embeddings.token_type_embeddings.weight"));
}

constexpr const char* kPointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n";

TEST(HuggingFaceFolder, ErrorsSayWhatAFileLooksLikeInstead) {
  const std::vector<NamedText> jsons = {{"config.json", ""},
                                        {"tokenizer.json", ""},
                                        {"tokenizer_config.json", ""},
                                        {"special_tokens_map.json", ""},
                                        {"generation_config.json", ""},
                                        {"model.safetensors.index.json", ""}};
  const std::vector<NamedText> contents = {
      {kPointer, "it looks like a Git LFS pointer, without the actual file"},
      {"<Error><Code>AccessDenied</Code></Error>", "it looks like a web page or XML"},
      {"\x1f\x8b\b", "it looks like gzip data, not decompressed or compressed twice"},
      {"", "it is empty"}};
  for (const auto& [name, _] : jsons) {
    for (const auto& [content, message] : contents) {
      Folder folder;
      const Status status = folder.add(name, content);
      ASSERT_FALSE(status) << name << " " << content;
      EXPECT_EQ(status.error().reason, Reason::bad_magic);
      EXPECT_EQ(status.error().detail, name + ": " + message);
    }
  }
  Folder folder;
  EXPECT_EQ(folder.add("chat_template.jinja", kPointer).error().reason, Reason::bad_magic);
  EXPECT_TRUE(folder.add("chat_template.jinja", "<s>{{ messages }}"));
}

TEST(HuggingFaceFolder, ErrorsSayWhatANeededVocabularyLooksLikeInstead) {
  for (const std::string name : {"vocab.txt", "tokenizer.model", "sentencepiece.bpe.model"}) {
    Folder folder;
    ASSERT_TRUE(folder.add(name, kPointer));
    const auto described = folder.describe_tokenizer();
    ASSERT_FALSE(described);
    EXPECT_EQ(described.error().detail, name + ": it looks like a Git LFS pointer, without the actual file");
  }
  Folder folder;
  ASSERT_TRUE(folder.add("vocab.txt", kPointer));
  ASSERT_TRUE(folder.add(
      "tokenizer.json",
      R"({"normalizer":{"type":"BertNormalizer"},"pre_tokenizer":{"type":"BertPreTokenizer"},"decoder":{"type":"WordPiece"},
          "post_processor":null,"model":{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##",
          "max_input_chars_per_word":100,"vocab":{"[PAD]":0,"[UNK]":1,"[CLS]":2,"[SEP]":3,"a":4}}})"));
  const auto described = folder.describe_tokenizer();
  EXPECT_TRUE(described) << described.error().detail;
}

}  // namespace
}  // namespace quintet::test
