#include "formats/gguf/reader.h"

#include <utility>

#include "formats/gguf/file_reader.h"

namespace quintet::gguf {

Parse<void> read(ByteStream& in, ModelSink& sink, ReadOptions) {
  FileReader reader(in, sink);
  Status status = co_await reader.read();
  if (!status) co_return fail(in_format(std::move(status).error(), name_of(Format::gguf)));
  co_return Status();
}

}  // namespace quintet::gguf
