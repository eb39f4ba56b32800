#pragma once
// Where a model's bytes go while a reader runs: a reader announces each tensor and gets a sink for
// it, so that the weights flow into their final place and exist once.

#include <memory>
#include <optional>

#include "base/byte_stream.h"
#include "base/hash.h"
#include "base/task.h"
#include "formats/model_description.h"

namespace quintet {

class TensorSink {
 public:
  virtual ~TensorSink() = default;
  // The next bytes of the tensor's payload (scales that stand apart, then the data), in pieces of
  // any size.
  virtual Status write(Bytes bytes) = 0;
  // All bytes were written.
  virtual Status finish() = 0;
};

class ModelSink {
 public:
  virtual ~ModelSink() = default;
  // Before the first tensor: all that the file says ahead of its tensors' data.
  virtual Status begin(const ModelDescription& description) = 0;
  // A tensor's payload comes next. Null: its bytes are skipped. `certain`: the input is known to
  // hold all its bytes, so that memory may be taken at once. Where a file keeps scales behind the
  // data, several tensors are announced before the first is written; then each is written and
  // finished, in the order in which they were announced.
  virtual Result<std::unique_ptr<TensorSink>> tensor(const TensorInfo& info, bool certain) = 0;
  // The file is read to its end and its checksums are right.
  virtual Status end(ModelDescription description) = 0;
};

struct ReadOptions {
  bool seekable = false;         // the driver follows ByteStream::position(), skipped bytes are never fed
  bool verify_checksums = true;  // of data; off for inspection, which does not see the data
  std::optional<NetworkKind> network_kind = {};  // of a tinyRuntime file; nothing: the sizes tell
};

// How far a reader goes: to the end, or to where the tensors begin. A parameter of templates, so that a module that
// reads heads alone has no code for tensors.
enum class Extent : uint8_t { head, whole };

// The data of `info` comes next. Opens its sink and writes to it; data that nobody wants is skipped. With `crc`, all
// bytes are counted in it, wanted or not.
Parse<void> read_tensor_data(ByteStream& in, ModelSink& sink, const TensorInfo& info, Crc32* crc = nullptr);

}  // namespace quintet
