#include "formats/model_sink.h"

#include <utility>

namespace quintet {
namespace {

Parse<void> flow(ByteStream& in, ByteSink* sink, uint64_t bytes, Crc32* crc) {
  while (bytes != 0) {
    QUINTET_CO_TRY(const Bytes piece, co_await in.some(bytes));
    bytes -= piece.size();
    if (crc) crc->update(piece);
    if (sink) QUINTET_CO_CHECK(sink->write(piece));
  }
  if (sink) QUINTET_CO_CHECK(sink->finish());
  co_return Status();
}

Parse<void> open_and_flow(ByteStream& in, ModelSink& sink, const TensorInfo& info, Crc32* crc) {
  QUINTET_CO_TRY(const std::unique_ptr<ByteSink> tensor, sink.tensor({.info = info, .bytes_exist = in.length_known()}));
  if (tensor || crc) co_return co_await flow(in, tensor.get(), info.bytes, crc);
  QUINTET_CO_CHECK(co_await in.skip(info.bytes));
  co_return Status();
}

}  // namespace

Parse<void> read_tensor_data(ByteStream& in, ModelSink& sink, const TensorInfo& info, Crc32* crc) {
  Status status = co_await open_and_flow(in, sink, info, crc);
  if (!status) co_return in_tensor(failure_of(std::move(status)), info.name);
  co_return Status();
}

}  // namespace quintet
