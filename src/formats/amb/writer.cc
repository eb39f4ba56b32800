#include "formats/amb/writer.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/byte_writer.h"
#include "base/checked.h"
#include "base/crc32.h"
#include "formats/amb/head_writer.h"
#include "formats/amb/layout.h"

namespace quintet::amb {
namespace {

class Writer final : public ModelWriter {
 public:
  Status begin(ModelDescription& description, std::vector<std::byte>& out) override {
    description.format = Format::amb;
    description.kind = "AMB";
    description.version_major = kVersion;
    description.version_minor = 0;
    description.flags &= kHasChecksum;  // those of another format mean nothing here
    auto head = write_head(description);
    if (!head) return fail(in_format(std::move(head).error(), name_of(Format::amb)));
    has_checksum_ = description.flags != 0;
    tensors_ = description.tensors;
    put(*head, out);
    return {};
  }

  Status begin_tensor(const TensorInfo&, std::vector<std::byte>& out) override {
    if (next_ == tensors_.size()) return unannounced();
    QUINTET_CHECK(end_tensor(out));
    const TensorInfo& info = tensors_[next_++];
    scales_left_ = info.scales_bytes;
    data_left_ = info.bytes;
    ByteWriter fields;
    put_fields(info, fields);
    if (scales_left_ == 0) fields.put(data_left_);
    put(fields.bytes(), out);
    return {};
  }

  // The data size stands between the scales and the data.
  Status write(Bytes piece, std::vector<std::byte>& out) override {
    if (piece.size() > scales_left_ + data_left_) return unannounced();
    const Bytes scales = piece.first(static_cast<size_t>(std::min<uint64_t>(piece.size(), scales_left_)));
    put(scales, out);
    scales_left_ -= scales.size();
    if (!scales.empty() && scales_left_ == 0) {
      ByteWriter size;
      size.put(data_left_);
      put(size.bytes(), out);
    }
    const Bytes data = piece.subspan(scales.size());
    put(data, out);
    data_left_ -= data.size();
    return {};
  }

  Status finish(std::vector<std::byte>& out) override {
    QUINTET_CHECK(end_tensor(out));
    if (next_ != tensors_.size()) return unannounced();
    if (!has_checksum_) return {};
    ByteWriter checksum;
    checksum.put(crc_.value());
    put(checksum.bytes(), out);
    return {};
  }

 private:
  static std::unexpected<Error> unannounced() {
    return fail({.code = Code::internal, .reason = Reason::mismatch, .detail = "other tensor data than was announced"});
  }

  Status end_tensor(std::vector<std::byte>& out) {
    if (scales_left_ != 0 || data_left_ != 0) return unannounced();
    if (next_ == 0) return {};
    const std::vector<std::byte> padding(static_cast<size_t>(align_up(offset_, kAlignment) - offset_));
    put(padding, out);
    return {};
  }

  void put(Bytes bytes, std::vector<std::byte>& out) {
    if (has_checksum_) crc_.update(bytes);
    out.insert(out.end(), bytes.begin(), bytes.end());
    offset_ += bytes.size();
  }

  std::vector<TensorInfo> tensors_;
  bool has_checksum_ = false;
  size_t next_ = 0;           // the tensor that begins next
  uint64_t scales_left_ = 0;  // of the current tensor
  uint64_t data_left_ = 0;
  uint64_t offset_ = 0;  // in the file
  Crc32 crc_;
};

}  // namespace

std::unique_ptr<ModelWriter> make_writer() { return std::make_unique<Writer>(); }

}  // namespace quintet::amb
