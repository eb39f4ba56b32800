#include "formats/amb/reader.h"

namespace quintet::amb {

Parse<void> read(ByteStream&, ModelSink&, ReadOptions) {
  co_return unsupported_error("amb is not read yet");
}

}  // namespace quintet::amb
