#include "formats/model_writer.h"

namespace quintet {

Status OrderedWriter::begin_tensor(const TensorInfo& info, std::vector<std::byte>& out) {
  if (missing_ != 0 || next_ == tensors_.size()) return unannounced();
  if (next_ != 0) put_tail(out);
  const TensorInfo& placed = tensors_[next_++];
  missing_ = placed.payload_bytes();
  return put_head(placed, info, out);
}

Status OrderedWriter::write(Bytes piece, std::vector<std::byte>& out) {
  if (piece.size() > missing_) return unannounced();
  missing_ -= piece.size();
  put_payload(piece, out);
  return {};
}

Status OrderedWriter::finish(std::vector<std::byte>& out) {
  if (missing_ != 0 || next_ != tensors_.size()) return unannounced();
  if (next_ != 0) put_tail(out);
  return put_end(out);
}

Failure OrderedWriter::unannounced() {
  return fail(Code::internal, Reason::mismatch, "the tensor data is not what was announced");
}

}  // namespace quintet
