#include "formats/safetensors/writer.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "base/order.h"
#include "formats/safetensors/header.h"

namespace quintet::safetensors {
namespace {

class Writer final : public OrderedWriter {
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
    expect(description.tensors);
    return {};
  }

 private:
  Status put_head(const TensorInfo&, const TensorInfo&, std::vector<std::byte>&) override { return {}; }
  void put_payload(Bytes piece, std::vector<std::byte>& out) override {
    out.insert(out.end(), piece.begin(), piece.end());
  }
  Status put_end(std::vector<std::byte>&) override { return {}; }
};

}  // namespace

std::unique_ptr<ModelWriter> make_writer() { return std::make_unique<Writer>(); }

}  // namespace quintet::safetensors
