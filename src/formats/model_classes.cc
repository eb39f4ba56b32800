#include "formats/model_classes.h"

#include <array>
#include <string>
#include <string_view>

namespace quintet {
namespace {

struct FileKind {
  std::string_view text;
  ModelClass reader;
};

// In the order of Format.
constexpr std::array<FileKind, 6> kFileKinds = {{{"a .weights file", ModelClass::embedder},
                                                 {"a safetensors file", ModelClass::text_generator},
                                                 {"an AMB file", ModelClass::text_generator},
                                                 {"an ALT file", ModelClass::text_generator},
                                                 {"a tinyRuntime file", ModelClass::image_classifier},
                                                 {"a GGUF file", ModelClass::text_generator}}};

struct ClassKind {
  std::string_view name;
  // The format that `quintet convert` writes for the class, and from which model; empty if the class reads safetensors.
  std::string_view converted;
  std::string_view from;
};

// In the order of ModelClass.
constexpr std::array<ClassKind, 4> kClassKinds = {{{"Embedder", "weights", "a BERT model"},
                                                   {"TextGenerator", "", ""},
                                                   {"ImageClassifier", "tinyruntime", "a ResNet"},
                                                   {"ImageEmbedder", "", ""}}};

const FileKind& kind_of(Format format) { return kFileKinds[static_cast<size_t>(format)]; }
const ClassKind& kind_of(ModelClass model) { return kClassKinds[static_cast<size_t>(model)]; }

Failure refused(Format format, std::string_view without, std::string_view asked, std::string_view advice) {
  return in_format(fail(Code::unsupported, Reason::unsupported, "{}{} is read by {}, not by {}{}", kind_of(format).text,
                        without, kind_of(class_of(format)).name, asked, advice),
                   name_of(format));
}

}  // namespace

ModelClass class_of(Format format) { return kind_of(format).reader; }

Failure not_read_by(ModelClass asked, Format format) {
  const ClassKind& other = kind_of(asked);
  std::string advice;
  if (format == Format::safetensors) {
    advice = formatted("; `quintet convert --to {}` converts {} for {}", other.converted, other.from, other.name);
  }
  return refused(format, "", other.name, advice);
}

Failure without_tokenizer(Format format) {
  return refused(
      format, " without a tokenizer", "Tokenizer",
      format == Format::safetensors ? "; use the tokenizer.json, tokenizer.model or vocab.txt next to it" : "");
}

}  // namespace quintet
