#pragma once
// Receives the bytes of a model while a reader runs. The reader announces each tensor and gets a sink for it, so that
// the weights go directly to their final place.

#include <memory>
#include <optional>

#include "base/byte_sink.h"
#include "base/byte_stream.h"
#include "base/hash.h"
#include "base/task.h"
#include "formats/model_description.h"

namespace quintet {

// A tensor whose payload comes next.
struct TensorArrival {
  const TensorInfo& info;
  bool bytes_exist = false;  // the input is known to contain the payload, so that memory may be allocated at once
};

class ModelSink {
 public:
  virtual ~ModelSink() = default;
  // Before the first tensor, receives everything that the file contains before the data of its tensors.
  virtual Status begin(const ModelDescription& description) = 0;
  // Returns the sink for a payload (separate scales, then the data), or null if its bytes are skipped. If a file stores
  // scales after the data, several tensors are announced before the first is written; each is then written and
  // finished, in the order of announcement.
  virtual Result<std::unique_ptr<ByteSink>> tensor(const TensorArrival& tensor) = 0;
  // The file was read to its end and its checksums match.
  virtual Status end(ModelDescription description) = 0;
};

struct ReadOptions {
  bool seekable = false;         // the driver follows ByteStream::position() and never feeds skipped bytes
  bool verify_checksums = true;  // of data; off for inspection, which does not read the data
  std::optional<NetworkKind> network_kind = {};  // of a tinyRuntime file; absent: inferred from the sizes
};

// The end of reading: the end of the file, or the start of the tensors. This is a template parameter, so that a module
// that only reads heads contains no code for tensors.
enum class ReadDepth : uint8_t { head, whole };

// The data of `info` comes next. Opens its sink and writes to it; data without a sink is skipped. With `crc`, all bytes
// are added to it.
Parse<void> read_tensor_data(ByteStream& in, ModelSink& sink, const TensorInfo& info, Crc32* crc = nullptr);

}  // namespace quintet
