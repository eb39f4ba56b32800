#include "formats/model_files.h"

#include "formats/alt/writer.h"
#include "formats/amb/writer.h"
#include "formats/embd/reader.h"
#include "formats/embd/writer.h"
#include "formats/gguf/reader.h"
#include "formats/model_classes.h"
#include "formats/safetensors/reader.h"
#include "formats/safetensors/writer.h"
#include "formats/tinyruntime/reader.h"
#include "formats/tinyruntime/writer.h"

namespace quintet {

Parse<void> read_model(ByteStream& in, std::optional<Format> format, ModelSink& sink, ReadOptions options) {
  QUINTET_CO_TRY(const Format found, co_await find_format(in, format));
  if (found == Format::embd) co_return co_await embd::read(in, sink, options);
  if (found == Format::tinyruntime) co_return co_await tinyruntime::read(in, sink, options);
  co_return co_await read_decoder_model(in, found, sink, options);
}

Parse<void> read_embedder_model(ByteStream& in, std::optional<Format> format, ModelSink& sink, ReadOptions options) {
  QUINTET_CO_TRY(const Format found, co_await find_format(in, format));
  if (found == Format::embd) co_return co_await embd::read(in, sink, options);
  if (found == Format::gguf) co_return co_await gguf::read(in, sink, options);
  if (found == Format::safetensors) co_return co_await safetensors::read(in, sink, options);
  co_return not_read_by(ModelClass::embedder, found);
}

Parse<void> read_network_model(ByteStream& in, std::optional<Format> format, ModelSink& sink, ReadOptions options) {
  QUINTET_CO_TRY(const Format found, co_await find_format(in, format));
  if (found == Format::tinyruntime) co_return co_await tinyruntime::read(in, sink, options);
  if (found == Format::safetensors) co_return co_await safetensors::read(in, sink, options);
  co_return not_read_by(ModelClass::image_classifier, found);
}

Parse<void> read_image_embedder_model(ByteStream& in, std::optional<Format> format, ModelSink& sink,
                                      ReadOptions options) {
  QUINTET_CO_TRY(const Format found, co_await find_format(in, format));
  if (found == Format::safetensors) co_return co_await safetensors::read(in, sink, options);
  co_return not_read_by(ModelClass::image_embedder, found);
}

std::unique_ptr<ModelWriter> make_writer(Format format) {
  switch (format) {
    case Format::embd:
      return embd::make_writer();
    case Format::safetensors:
      return safetensors::make_writer();
    case Format::amb:
      return amb::make_writer();
    case Format::alt:
      return alt::make_writer();
    case Format::tinyruntime:
      return tinyruntime::make_writer();
    case Format::gguf:
      break;
  }
  return nullptr;
}

}  // namespace quintet
