#include "formats/tinyruntime/writer.h"

#include <algorithm>
#include <utility>

#include "base/order.h"
#include "formats/resnet_check.h"
#include "formats/resnet_tensors.h"
#include "formats/tinyruntime/description.h"
#include "formats/tinyruntime/table_writer.h"

namespace quintet::tinyruntime {
namespace {

std::unexpected<Error> unannounced() {
  return fail({.code = Code::internal, .reason = Reason::mismatch, .detail = "other tensor data than was announced"});
}

class Writer final : public ModelWriter {
 public:
  std::vector<size_t> tensor_order(const std::vector<TensorInfo>& tensors) const override {
    std::vector<uint64_t> keys;  // position, then the order in which they came
    for (const TensorInfo& info : tensors) keys.push_back(uint64_t{resnet_position(info.name)} << 32 | keys.size());
    heap_sort(keys);
    std::vector<size_t> order;
    for (const uint64_t key : keys) order.push_back(static_cast<uint32_t>(key));
    return order;
  }

  Status begin(ModelDescription& description, std::vector<std::byte>& out) override {
    if (!description.layers)
      return input_error(Reason::missing, "a tinyRuntime file holds a ResNet, this model is none");
    QUINTET_TRY(const ResNetGraph graph, checked_resnet(*description.layers));
    QUINTET_TRY(FileTable table, plan_table(description, graph));
    write_table(table, out);
    description = describe(std::move(table), graph);  // metadata has no place in the format
    tensors_ = description.tensors;
    return {};
  }

  Status begin_tensor(const TensorInfo& info, std::vector<std::byte>& out) override {
    if (missing() != 0 || next_ == tensors_.size() || info.name != tensors_[next_].name) return unannounced();
    written_ = 0;
    if (tensors_[next_].quantization.scheme != Scheme::group_int8) flush_scales(out);
    ++next_;
    return {};
  }

  Status write(Bytes piece, std::vector<std::byte>& out) override {
    if (piece.size() > missing()) return unannounced();
    // The scales come first in a payload, and last in the file.
    const auto scales = static_cast<size_t>(std::min<uint64_t>(piece.size(), missing_scales()));
    held_scales_.insert(held_scales_.end(), piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(scales));
    out.insert(out.end(), piece.begin() + static_cast<std::ptrdiff_t>(scales), piece.end());
    written_ += piece.size();
    return {};
  }

  Status finish(std::vector<std::byte>& out) override {
    if (missing() != 0 || next_ != tensors_.size()) return unannounced();
    flush_scales(out);
    return {};
  }

 private:
  // Bytes of the current payload that have not come yet.
  uint64_t missing() const { return next_ == 0 ? 0 : tensors_[next_ - 1].payload_bytes() - written_; }
  uint64_t missing_scales() const {
    const uint64_t scales = next_ == 0 ? 0 : tensors_[next_ - 1].scales_bytes;
    return scales - std::min(scales, written_);
  }

  void flush_scales(std::vector<std::byte>& out) {
    out.insert(out.end(), held_scales_.begin(), held_scales_.end());
    held_scales_.clear();
  }

  std::vector<TensorInfo> tensors_;
  size_t next_ = 0;       // tensor that begins next
  uint64_t written_ = 0;  // bytes of the tensor before
  std::vector<std::byte> held_scales_;
};

}  // namespace

std::unique_ptr<ModelWriter> make_writer() { return std::make_unique<Writer>(); }

}  // namespace quintet::tinyruntime
