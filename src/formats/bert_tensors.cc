#include "formats/bert_tensors.h"

#include <array>
#include <string_view>

#include "formats/bert_names.h"
#include "formats/tensor_lookup.h"

namespace quintet {
namespace {

enum class Size : uint8_t { hidden, intermediate };

struct Linear {
  std::string_view name;
  Size rows, cols;
};
constexpr std::array<Linear, 6> kLinears = {{
    {"attention.self.query", Size::hidden, Size::hidden},
    {"attention.self.key", Size::hidden, Size::hidden},
    {"attention.self.value", Size::hidden, Size::hidden},
    {"attention.output.dense", Size::hidden, Size::hidden},
    {"intermediate.dense", Size::intermediate, Size::hidden},
    {"output.dense", Size::hidden, Size::intermediate},
}};
constexpr std::array<std::string_view, 2> kNorms = {"attention.output.LayerNorm", "output.LayerNorm"};

class Checker {
 public:
  Checker(const BertShape& shape, const std::vector<TensorInfo>& tensors) : shape_(shape), tensors_(tensors) {}

  Status check_embeddings() const {
    QUINTET_CHECK(expect(std::string(kWordEmbeddings), {shape_.vocab_size, shape_.hidden}));
    QUINTET_CHECK(expect(std::string(kPositionEmbeddings), {shape_.positions, shape_.hidden}));
    QUINTET_CHECK(expect(std::string(kTokenTypeEmbeddings), {kAny, shape_.hidden}));
    return expect_norm("embeddings.LayerNorm");
  }

  Status check_layer(uint64_t layer) const {
    const std::string prefix = std::string(kLayerPrefix) + std::to_string(layer) + ".";
    for (const Linear& linear : kLinears) {
      const std::string name = prefix + std::string(linear.name);
      QUINTET_CHECK(expect(name + ".weight", {size(linear.rows), size(linear.cols)}));
      QUINTET_CHECK(expect(name + ".bias", {size(linear.rows)}));
    }
    for (const std::string_view norm : kNorms) QUINTET_CHECK(expect_norm(prefix + std::string(norm)));
    return {};
  }

 private:
  static constexpr uint64_t kAny = 0;

  uint64_t size(Size which) const { return which == Size::hidden ? shape_.hidden : shape_.intermediate; }

  Status expect_norm(const std::string& name) const {
    QUINTET_CHECK(expect(name + ".weight", {shape_.hidden}));
    return expect(name + ".bias", {shape_.hidden});
  }

  Status expect(const std::string& name, std::vector<uint64_t> shape) const {
    const TensorInfo* info = tensors_.find(name);
    if (!info) return wrong(name, Reason::missing, "a tensor of the encoder is missing", std::nullopt);
    if (shape[0] == kAny && !info->shape.empty()) shape[0] = info->shape[0];
    if (info->shape == shape) return check_type(*info);
    return wrong(name, Reason::mismatch, "shape " + shape_text(info->shape) + ", expected " + shape_text(shape),
                 info->offset);
  }

  // Vectors are floats, matrices may be int8 with scales.
  static Status check_type(const TensorInfo& info) {
    const Dtype type = info.dtype;
    if (type == Dtype::f32 || type == Dtype::f16 || type == Dtype::bf16) return {};
    if (type == Dtype::i8 && info.shape.size() == 2) return {};
    return fail({.code = Code::unsupported,
                 .reason = Reason::unknown_value,
                 .detail = "weights of type " + std::string(name_of(type)),
                 .offset = info.offset,
                 .format = {},
                 .tensor = info.name});
  }

  static std::unexpected<Error> wrong(const std::string& name, Reason reason, std::string detail,
                                      std::optional<uint64_t> offset) {
    return fail({.code = Code::format,
                 .reason = reason,
                 .detail = std::move(detail),
                 .offset = offset,
                 .format = {},
                 .tensor = name});
  }

  BertShape shape_;
  TensorLookup tensors_;
};

}  // namespace

Status check_bert_tensors(const BertShape& shape, const std::vector<TensorInfo>& tensors) {
  const Checker checker(shape, tensors);
  QUINTET_CHECK(checker.check_embeddings());
  for (uint64_t layer = 0; layer < shape.layers; ++layer) QUINTET_CHECK(checker.check_layer(layer));
  return {};
}

bool is_bert_matrix(const TensorInfo& info) {
  if (info.shape.size() != 2) return false;
  return info.name == kWordEmbeddings || (layer_of(info.name) && info.name.ends_with(".weight"));
}

}  // namespace quintet
