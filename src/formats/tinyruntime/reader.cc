#include "formats/tinyruntime/reader.h"

namespace quintet::tinyruntime {

Parse<void> read(ByteStream&, ModelSink&, ReadOptions) {
  co_return unsupported_error("tinyruntime is not read yet");
}

}  // namespace quintet::tinyruntime
