#include "formats/alt/reader.h"

namespace quintet::alt {

Parse<void> read(ByteStream&, ModelSink&, ReadOptions) {
  co_return unsupported_error("alt is not read yet");
}

}  // namespace quintet::alt
