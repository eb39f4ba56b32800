#include "formats/alt/writer.h"

#include <utility>

#include "base/byte_writer.h"
#include "base/checked.h"
#include "formats/alt/general_section.h"
#include "formats/alt/parameters_section.h"
#include "formats/alt/section.h"
#include "formats/alt/tensor_record.h"
#include "formats/alt/tensors_section.h"
#include "formats/alt/tokenizer_section.h"

namespace quintet::alt {
namespace {

// Tensors stay in the given order. Their records are between the data, so delta, min and max are only needed when their
// tensor is written.
class Writer final : public OrderedWriter {
 public:
  Status begin(ModelDescription& description, std::vector<std::byte>& out) override {
    ByteWriter head;
    write_start(head);
    QUINTET_CHECK(write_general(description.metadata, head));
    QUINTET_CHECK(write_parameters(description.config, head));
    QUINTET_CHECK(write_tokenizer(description, head));
    data_end_ = head.size();
    if (!description.tensors.empty()) {
      QUINTET_TRY(data_end_, write_tensors_head(description.tensors, head));
    }
    description.format = Format::alt;
    description.kind = "ALT";
    description.version_major = kVersion;
    description.version_minor = 0;
    description.flags = 0;
    description.file_size = align_up(data_end_, kAlignment) + kMarkerBytes;
    expect(description.tensors);
    put(head.bytes(), out);
    return {};
  }

 private:
  Status put_head(const TensorInfo& placed, const TensorInfo& info, std::vector<std::byte>& out) override {
    TensorInfo tensor = placed;
    tensor.quantization = info.quantization;
    ByteWriter record;
    write_record(tensor, record);
    put(record.bytes(), out);
    return offset_ == placed.offset ? Status() : unannounced();
  }

  void put_payload(Bytes piece, std::vector<std::byte>& out) override { put(piece, out); }

  Status put_end(std::vector<std::byte>& out) override {
    if (offset_ != data_end_) return unannounced();
    out.resize(out.size() + static_cast<size_t>(align_up(offset_, kAlignment) - offset_));
    ByteWriter end;
    end.put(kEndMarker);
    put(end.bytes(), out);
    return {};
  }

  void put(Bytes bytes, std::vector<std::byte>& out) {
    out.insert(out.end(), bytes.begin(), bytes.end());
    offset_ += bytes.size();
  }

  uint64_t offset_ = 0;  // in the file
  uint64_t data_end_ = 0;
};

}  // namespace

std::unique_ptr<ModelWriter> make_writer() { return std::make_unique<Writer>(); }

}  // namespace quintet::alt
