#include "runtime/generation/generator_loader.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "architectures/decoder/config.h"
#include "architectures/decoder/packed_weights.h"
#include "architectures/decoder/quantization_config.h"
#include "base/byte_stream.h"
#include "base/task.h"
#include "formats/detect.h"
#include "runtime/generation/generator_sink.h"
#include "runtime/model_folder/folder_files.h"
#include "runtime/model_folder/head_counter.h"

namespace quintet {
namespace {

// A file with tensors, while it is read.
struct ModelFile {
  ModelFile(std::optional<Format> format, std::optional<uint64_t> total, ModelSink& to, size_t& heads)
      : sink(to, heads), stream(total), parse(read_decoder_model(stream, format, sink, {})) {
    parse.start();
  }
  // Returns an error only once; no error while there is more to read. Errors of the model as a whole are reported at
  // the position where they show.
  Status status() {
    if (!parse.done() || std::exchange(told, true)) return {};
    Status result = parse.take();
    const bool of_file = !result && (result.error().code == Code::format || result.error().code == Code::unsupported);
    if (of_file && !result.error().offset) result.error().offset = stream.offset();
    return result;
  }

  HeadCounter sink;
  ByteStream stream;
  Parse<void> parse;
  bool told = false;
};

Failure in_folder(Error error) { return fail(in_format(std::move(error), "huggingface")); }

}  // namespace

struct GeneratorLoader::State {
  State(const GeneratorOptions& options, std::optional<Format> named, uint64_t available)
      : format(named), sink(options, available) {}

  Status begin_model_file(std::optional<uint64_t> total);
  Status describe();
  Status end_describing_file();

  std::optional<Format> format;
  GeneratorSink sink;
  std::optional<decoder::JoiningSink> joining;  // of a folder with weights of several tensors, before `sink`
  FolderFiles describing;
  std::optional<DecoderConfig> config;  // of the folder
  bool folder = false;                  // whether there were describing files
  size_t model_files = 0;
  size_t heads_read = 0;
  std::vector<std::unique_ptr<ModelFile>> files;  // null: a describing file, or one that has ended
  size_t chosen = 0;

  ModelFile* file() const { return files[chosen].get(); }
};

GeneratorLoader::GeneratorLoader(const GeneratorOptions& options, std::optional<Format> format, uint64_t available)
    : state_(std::make_unique<State>(options, format, available)) {}

GeneratorLoader::~GeneratorLoader() = default;

Status GeneratorLoader::begin_file(std::string_view name, std::optional<uint64_t> total) {
  name.remove_prefix(name.find_last_of("/\\") + 1);
  state_->chosen = state_->files.size();
  state_->files.push_back(nullptr);
  if (!huggingface::Folder::takes(name)) return state_->begin_model_file(total);
  if (state_->model_files != 0) {
    return input_error(Reason::malformed,
                       std::string(name) + " comes after the weights; files that describe the model must come first");
  }
  state_->folder = true;
  state_->describing.begin(name);
  return {};
}

Status GeneratorLoader::State::begin_model_file(std::optional<uint64_t> total) {
  if (model_files != 0 && !sink.has_more_files()) {
    return input_error(Reason::mismatch, "there are several models, but only one can be loaded");
  }
  if (folder && format.value_or(Format::safetensors) != Format::safetensors) {
    return input_error(Reason::mismatch, "config.json and vocabulary can only be combined with a safetensors model");
  }
  if (folder && model_files == 0) {
    if (Status status = describe(); !status) return in_folder(std::move(status).error());
  }
  ++model_files;
  ModelSink& first = joining ? static_cast<ModelSink&>(*joining) : sink;
  files[chosen] = std::make_unique<ModelFile>(folder ? Format::safetensors : format, total, first, heads_read);
  return {};
}

Status GeneratorLoader::State::describe() {
  QUINTET_TRY(ModelDescription description, describing.folder().describe_decoder());
  QUINTET_TRY(const auto packing, decoder::read_weight_packing(description.config));
  const decoder::TensorNames names(description);
  QUINTET_CHECK(sink.describe(std::move(description), config));
  if (packing) joining.emplace(decoder::PackedWeights(*packing, *config, names), sink);
  return {};
}

// An unsupported model is rejected before its weights are read.
Status GeneratorLoader::State::end_describing_file() {
  QUINTET_CHECK(describing.end());
  const Json* json = config ? nullptr : describing.folder().decoder_config();
  if (!json) return {};
  auto read = read_huggingface_config(*json);
  if (!read) return in_folder(std::move(read).error());
  config = *std::move(read);
  return {};
}

Status GeneratorLoader::feed(Bytes chunk) {
  ModelFile* const file = state_->file();
  if (!file) return state_->describing.feed(chunk);
  if (!file->parse.done()) file->stream.feed(chunk);
  return file->status();
}

Status GeneratorLoader::end_file() {
  ModelFile* const file = state_->file();
  if (!file) return state_->end_describing_file();
  if (!file->parse.done()) file->stream.end();
  const Status status = file->status();
  state_->files[state_->chosen].reset();
  return status;
}

void GeneratorLoader::choose_file(size_t file) {
  if (file < state_->files.size()) state_->chosen = file;
}

size_t GeneratorLoader::heads_read() const { return state_->heads_read; }

Result<std::unique_ptr<GeneratorModel>> GeneratorLoader::finish() {
  if (state_->model_files == 0) return input_error(Reason::missing, "no model file was given");
  state_->files.clear();
  if (state_->joining) {
    if (Status status = state_->joining->check_whole(); !status) return in_folder(std::move(status).error());
  }
  return state_->sink.finish();
}

}  // namespace quintet
