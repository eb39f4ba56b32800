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
  // What `quintet convert` writes for the class, and from which model; empty if the class reads safetensors.
  std::string_view converted;
  std::string_view from;
};

// In the order of ModelClass.
constexpr std::array<ClassKind, 3> kClassKinds = {{{"Embedder", "weights", "a BERT model"},
                                                   {"TextGenerator", "", ""},
                                                   {"ImageClassifier", "tinyruntime", "a ResNet"}}};

const FileKind& kind_of(Format format) { return kFileKinds[static_cast<size_t>(format)]; }
const ClassKind& kind_of(ModelClass model) { return kClassKinds[static_cast<size_t>(model)]; }

Failure refused(Format format, std::string detail) {
  return fail({.code = Code::unsupported,
               .reason = Reason::unsupported,
               .detail = std::move(detail),
               .format = std::string(name_of(format))});
}

}  // namespace

ModelClass class_of(Format format) { return kind_of(format).reader; }

Failure not_read_by(ModelClass asked, Format format) {
  const ClassKind& other = kind_of(asked);
  std::string detail(kind_of(format).text);
  detail.append(" is read by ").append(kind_of(class_of(format)).name).append(", not by ").append(other.name);
  if (format == Format::safetensors) {
    detail.append("; `quintet convert --to ").append(other.converted).append("` converts ");
    detail.append(other.from).append(" for ").append(other.name);
  }
  return refused(format, std::move(detail));
}

Failure without_tokenizer(Format format) {
  std::string detail(kind_of(format).text);
  detail.append(" without a tokenizer is read by ").append(kind_of(class_of(format)).name).append(", not by Tokenizer");
  if (format == Format::safetensors) detail.append("; use the tokenizer.json, tokenizer.model or vocab.txt next to it");
  return refused(format, std::move(detail));
}

}  // namespace quintet
