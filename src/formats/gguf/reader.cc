#include "formats/gguf/reader.h"

namespace quintet::gguf {

Parse<void> read(ByteStream&, ModelSink&, ReadOptions) {
  co_return unsupported_error("gguf is not read yet");
}

}  // namespace quintet::gguf
