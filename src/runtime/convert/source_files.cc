#include "runtime/convert/source_files.h"

#include <algorithm>
#include <utility>

#include "architectures/encoder/families.h"
#include "architectures/vision/checkpoint.h"
#include "formats/amb/layout.h"
#include "formats/embd/layout.h"
#include "formats/gguf/split.h"
#include "formats/model_files.h"
#include "runtime/convert/packed_source.h"

namespace quintet {
namespace {

// Whether reading the whole file verifies more than one of its headers.
bool has_checksums(const ModelDescription& description) {
  if (description.format == Format::amb) return (description.flags & amb::kHasChecksum) != 0;
  return description.format == Format::embd && (description.flags & embd::kChecksumEnabled) != 0;
}

// Decoders that are trained to embed are converted as decoders.
bool is_encoder(const ModelDescription& description) {
  const encoder::Family* family = encoder::family_of_gguf(description.architecture);
  return family && !family->traits.is_causal;
}

Family family_of(const ModelDescription& description) {
  switch (description.format) {
    case Format::embd:
      return Family::embedder;
    case Format::amb:
    case Format::alt:
      return Family::decoder;
    case Format::gguf:
      return is_encoder(description) ? Family::embedder : Family::decoder;
    case Format::tinyruntime:
      return Family::network;
    case Format::safetensors:
      break;
  }
  return Family::tensors;
}

// Whether the files are those of a split GGUF model. INPUT if one of them is missing.
Result<bool> is_whole_split_model(const std::vector<ModelDescription>& models) {
  gguf::SplitFiles split;
  uint64_t tensors = 0;
  for (const ModelDescription& model : models) {
    if (model.format != Format::gguf) return false;
    QUINTET_CHECK(split.add(model));
    if (!split.several()) return false;
    tensors += model.tensors.size();
  }
  QUINTET_CHECK(split.finish(tensors));
  return true;
}

std::vector<TensorInfo> plain_infos(const std::vector<SourceTensor>& tensors) {
  std::vector<TensorInfo> infos;
  for (const SourceTensor& tensor : tensors) infos.push_back(tensor.info);
  return infos;
}

// If the configuration is known.
void mark_order(SourceModel& source) {
  if (!source.decoder_config || !*source.decoder_config) return;
  const decoder::TensorNames names(source.description);
  for (SourceTensor& tensor : source.tensors) {
    const auto ref = names.ref_of(tensor.info.name);
    if (ref) tensor.order = names.order_of(*ref, **source.decoder_config);
  }
}

}  // namespace

std::string_view name_of(Family family) {
  switch (family) {
    case Family::embedder:
      return "a sentence embedder";
    case Family::decoder:
      return "a decoder";
    case Family::network:
      return "a convolutional network";
    case Family::image:
      return "an image network";
    case Family::tensors:
      break;
  }
  return "a file of tensors";
}

SourceFiles::Reading::Reading(std::optional<uint64_t> total, bool seekable)
    : file(read_model, std::nullopt, total, sink, {.seekable = seekable, .verify_checksums = !seekable}) {}

Status SourceFiles::begin_file(std::string_view name, std::optional<uint64_t> total, bool seekable) {
  const std::string_view path = name;
  name.remove_prefix(name.find_last_of("/\\") + 1);
  // Modules of an embedder have their own folders, each with a config.json.
  const bool has_config = describing_.folder().encoder_config() || describing_.folder().decoder_config();
  const bool is_of_module = huggingface::SentenceFiles::takes(path) && (path == name || has_config);
  seekable_ = seekable;
  if (!std::exchange(repeating_, false)) ++files_;
  reading_.reset();
  if (is_of_module || huggingface::Folder::takes(name)) {
    describing_.begin(is_of_module ? path : name);
  } else {
    reading_.emplace(total, seekable);
  }
  return {};
}

Status SourceFiles::feed(Bytes chunk) { return reading_ ? reading_->file.feed(chunk) : describing_.feed(chunk); }

uint64_t SourceFiles::position() const { return reading_ ? reading_->file.position() : describing_.position(); }

Result<bool> SourceFiles::end_file() {
  if (reading_) return end_model();
  QUINTET_CHECK(describing_.end());
  return false;
}

Result<bool> SourceFiles::end_model() {
  QUINTET_CHECK(reading_->file.end());
  repeating_ = seekable_ && has_checksums(reading_->sink.description());
  if (repeating_) return true;
  models_.push_back(reading_->sink.description());
  model_files_.push_back(files_ - 1);
  reading_.reset();
  return false;
}

Result<SourceModel> SourceFiles::describe() {
  std::optional<ModelDescription> described;
  const bool is_image = describing_.is_image_network();
  if (!describing_.folder().empty() && !is_image) {
    auto result = describing_.folder().describe();
    if (!result) return in_format(failure_of(std::move(result)), "huggingface");
    described = *std::move(result);
  }
  if (models_.empty()) return input_error(Reason::missing, "no model file was given");
  const bool safetensors =
      std::ranges::all_of(models_, [](const ModelDescription& model) { return model.format == Format::safetensors; });
  QUINTET_TRY(const bool is_split, is_whole_split_model(models_));
  if (is_image && !safetensors)
    return input_error(Reason::mismatch, "config.json is that of an image network, the model is not in safetensors");
  if (models_.size() > 1 && !safetensors && !is_split) {
    return input_error(Reason::mismatch, "there are several models, but only one can be converted");
  }
  if (described && !safetensors) {
    return input_error(Reason::mismatch, "config.json and vocabulary can only be combined with a safetensors model");
  }
  SourceModel source;
  for (size_t i = 0; i < models_.size(); ++i) {
    for (const TensorInfo& info : models_[i].tensors) source.tensors.push_back({info, model_files_[i]});
  }
  source.description = std::move(models_.front());
  source.description.tensors = plain_infos(source.tensors);
  QUINTET_CHECK(check_in_one_file(source.description.tensors));
  source.family = family_of(source.description);
  if (source.family == Family::decoder) source.decoder_config = read_decoder_config(source.description);
  source.description.tensors.clear();
  if (described) {
    source.description = std::move(*described);
    source.description.format = Format::safetensors;
    source.origin = Origin::hugging_face;
    source.encoder = describing_.encoder();
    if (source.encoder) {
      auto sentence = describing_.sentence_config();
      if (!sentence) return in_format(failure_of(std::move(sentence)), "huggingface");
      source.sentence = *std::move(sentence);
      if (!source.sentence.pooling) source.head = describing_.head();
    }
    source.family = source.encoder ? Family::embedder : Family::decoder;
    if (describing_.decoder()) source.decoder_config = *describing_.decoder();
    if (Status status = join_packed_weights(source); !status) {
      return in_format(failure_of(std::move(status)), "huggingface");
    }
  } else if (is_image) {
    source.description.metadata = describing_.texts();
    source.origin = Origin::hugging_face;
    source.family = Family::image;
  } else if (safetensors && CheckpointNames::find(plain_infos(source.tensors))) {
    source.origin = Origin::checkpoint;
    source.family = Family::network;
  }
  mark_order(source);
  return source;
}

}  // namespace quintet
