#include "formats/tinyruntime/grouped_data.h"

#include <memory>
#include <utility>
#include <vector>

namespace quintet::tinyruntime {
namespace {

struct HeldTensor {
  std::unique_ptr<TensorSink> sink;
  std::vector<std::byte> data;  // grows with the bytes that arrive
};

Parse<void> hold_data(ByteStream& in, ModelSink& sink, const TensorInfo& info, HeldTensor& held) {
  QUINTET_CO_TRY(held.sink, sink.tensor(info, in.length_known()));
  if (!held.sink) QUINTET_CO_CHECK(co_await in.skip(info.bytes));
  if (held.sink && in.length_known())
    held.data.reserve(static_cast<size_t>(info.bytes));  // the file is known to hold them
  while (held.sink && held.data.size() < info.bytes) {
    QUINTET_CO_TRY(const Bytes piece, co_await in.some(info.bytes - held.data.size()));
    held.data.insert(held.data.end(), piece.begin(), piece.end());
  }
  co_return Status();
}

Parse<void> write_payload(ByteStream& in, const TensorInfo& info, HeldTensor held) {
  if (!held.sink) {
    QUINTET_CO_CHECK(co_await in.skip(info.scales_bytes));
    co_return Status();
  }
  for (uint64_t missing = info.scales_bytes; missing != 0;) {
    QUINTET_CO_TRY(const Bytes piece, co_await in.some(missing));
    missing -= piece.size();
    QUINTET_CO_CHECK(held.sink->write(piece));
  }
  QUINTET_CO_CHECK(held.sink->write(held.data));
  co_return held.sink->finish();
}

}  // namespace

Parse<void> read_grouped_data(ByteStream& in, ModelSink& sink, const std::vector<TensorInfo>& tensors) {
  std::vector<HeldTensor> held(tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i) {
    Status status = co_await hold_data(in, sink, tensors[i], held[i]);
    if (!status) co_return fail(in_tensor(std::move(status).error(), tensors[i].name));
  }
  for (size_t i = 0; i < tensors.size(); ++i) {
    Status status = co_await write_payload(in, tensors[i], std::move(held[i]));
    if (!status) co_return fail(in_tensor(std::move(status).error(), tensors[i].name));
  }
  co_return Status();
}

}  // namespace quintet::tinyruntime
