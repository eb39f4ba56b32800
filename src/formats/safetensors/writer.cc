#include "formats/safetensors/writer.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "base/order.h"
#include "formats/safetensors/header.h"

namespace quintet::safetensors {
namespace {

class Writer final : public ModelWriter {
 public:
  std::vector<size_t> tensor_order(const std::vector<TensorInfo>& tensors) const override {
    std::vector<size_t> order = ModelWriter::tensor_order(tensors);
    heap_sort(order, {}, [&tensors](size_t i) {
      return std::tuple(-static_cast<int>(bits_of(tensors[i].dtype)), std::string_view(tensors[i].name));
    });
    return order;
  }

  Status begin(ModelDescription& description, std::vector<std::byte>& out) override {
    QUINTET_TRY(const std::vector<std::byte> header, write_header(description));
    out.insert(out.end(), header.begin(), header.end());
    missing_ = *description.file_size - header.size();
    return {};
  }
  Status begin_tensor(const TensorInfo&, std::vector<std::byte>&) override { return {}; }
  Status write(Bytes piece, std::vector<std::byte>& out) override {
    if (piece.size() > missing_) return unannounced();
    missing_ -= piece.size();
    out.insert(out.end(), piece.begin(), piece.end());
    return {};
  }
  Status finish(std::vector<std::byte>&) override { return missing_ == 0 ? Status() : unannounced(); }

 private:
  static Failure unannounced() {
    return fail(
        {.code = Code::internal, .reason = Reason::mismatch, .detail = "the tensor data is not what was announced"});
  }

  uint64_t missing_ = 0;  // of the announced data
};

}  // namespace

std::unique_ptr<ModelWriter> make_writer() { return std::make_unique<Writer>(); }

}  // namespace quintet::safetensors
