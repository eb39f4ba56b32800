#pragma once
// A model file while it is read: its bytes arrive in chunks, and an error stops the reader for good.

#include <cstdint>
#include <optional>

#include "base/byte_stream.h"
#include "base/task.h"
#include "formats/detect.h"
#include "formats/model_sink.h"

namespace quintet {

class ModelFile {
 public:
  using Reader = Parse<void>(ByteStream&, std::optional<Format>, ModelSink&, ReadOptions);

  // The sink must outlive this.
  ModelFile(Reader& reader, std::optional<Format> format, std::optional<uint64_t> total, ModelSink& sink,
            ReadOptions options = {})
      : stream_(total, options.seekable), parse_(reader(stream_, format, sink, options)) {
    parse_.start();
  }

  // Reads the next chunk. Returns the error of the reader, if it has failed.
  Status feed(Bytes chunk) {
    if (!parse_.done()) stream_.feed(chunk);
    return status();
  }
  // Ends the input.
  Status end() {
    if (!parse_.done()) stream_.end();
    return status();
  }

  uint64_t position() const { return stream_.position(); }  // of the next chunk
  uint64_t offset() const { return stream_.offset(); }      // of the reader

 private:
  Status status() {
    if (!status_ && parse_.done()) status_ = parse_.take();
    return status_.value_or(Status());
  }

  ByteStream stream_;
  Parse<void> parse_;
  std::optional<Status> status_;  // once the reader is done
};

}  // namespace quintet
