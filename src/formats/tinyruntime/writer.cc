#include "formats/tinyruntime/writer.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/byte_writer.h"
#include "base/order.h"
#include "formats/tinyruntime/check.h"
#include "formats/tinyruntime/reader.h"
#include "formats/tinyruntime/sections.h"
#include "formats/tinyruntime/tensors.h"

namespace quintet::tinyruntime {
namespace {

constexpr uint64_t kMaxOffset = INT32_MAX;

void put_kind_words(ByteWriter& out, NetworkKind kind, const LayerRecord& record, bool bias,
                    const ActivationQuantization& output) {
  out.put(record.offset);
  switch (kind) {
    case NetworkKind::vanilla:
      break;
    case NetworkKind::dq8:
      out.put(record.scales_offset);
      out.put(record.weight_group);
      out.put(record.bias_group);
      return;
    case NetworkKind::sq8:
      out.put(record.weight_scale);
      out.put(record.weight_zero_point);
      out.put(output.scale);
      out.put(output.zero_point);
      break;
  }
  out.put(uint32_t{bias});
}

void put_header(ByteWriter& out, const FileTable& table) {
  out.put(table.layers.classes);
  out.put(table.places.counts.convs);
  out.put(table.places.counts.linears);
  out.put(table.places.counts.batch_norms);
  if (table.layers.kind == NetworkKind::vanilla) return;
  out.put(table.places.counts.activations);
  out.put(table.quantized_bytes);
  out.put(uint32_t{table.layers.asymmetric});
}

Failure wrong_tensor(const TensorInfo& info, const std::string& what) {
  return input_error(Reason::mismatch, "tensor \"{}\" {}", info.name, what);
}

// The form in which the kind stores a part of a layer.
Scheme scheme_of(NetworkKind kind, TensorPart part) {
  if (part == TensorPart::batch_norm || kind == NetworkKind::vanilla) return Scheme::none;
  if (kind == NetworkKind::dq8) return Scheme::group_int8;
  return part == TensorPart::bias ? Scheme::tensor_int32 : Scheme::tensor_int8;
}

Status check_tensor(const TensorInfo& info, const NetworkTensor& expected, const LayerTable& layers) {
  if (info.name != expected.name) return wrong_tensor(info, "is in the place of " + expected.name);
  if (info.shape != expected.shape) return wrong_tensor(info, "has a shape that does not match its layer");
  const Quantization& quantization = info.quantization;
  if (quantization.scheme != scheme_of(layers.kind, expected.part) || (!info.quantized() && info.dtype != Dtype::f32)) {
    return wrong_tensor(info, formatted("does not have the type for {}", name_of(layers.kind)));
  }
  if (quantization.scheme != Scheme::group_int8) return {};
  const uint64_t grouped = expected.part == TensorPart::bias ? info.shape[0] : info.elements() / info.shape[0];
  if (quantization.block == 0 || grouped % quantization.block != 0) {
    return wrong_tensor(info, formatted("has groups that do not divide its {} values", grouped));
  }
  if (quantization.asymmetric != layers.asymmetric) return wrong_tensor(info, "is not quantized like the others");
  return {};
}

void take_quantization(const Quantization& quantization, TensorPart part, LayerRecord& record) {
  if (part == TensorPart::bias) {
    record.bias_group = quantization.block;
    return;
  }
  record.weight_group = quantization.block;
  record.weight_scale = quantization.scale;
  record.weight_zero_point = quantization.zero_point;
}

Status take_tensors(const ModelDescription& description, const Network& graph, FileTable& table) {
  const std::vector<NetworkTensor> expected = network_tensors(table.layers, graph);
  if (expected.size() != description.tensors.size()) {
    return input_error(Reason::mismatch, "{} tensors, but the layers have {}", description.tensors.size(),
                       expected.size());
  }
  table.records.resize(table.layers.convs.size() + table.layers.linears.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    const TensorInfo& info = description.tensors[i];
    QUINTET_CHECK(check_tensor(info, expected[i], table.layers));
    if (expected[i].part != TensorPart::batch_norm)
      take_quantization(info.quantization, expected[i].part, table.records[expected[i].layer]);
  }
  return {};
}

class Writer final : public OrderedWriter {
 public:
  std::vector<size_t> tensor_order(const std::vector<TensorInfo>& tensors) const override {
    std::vector<uint64_t> keys;  // position, then the order of arrival
    for (const TensorInfo& info : tensors) keys.push_back(uint64_t{tensor_position(info.name)} << 32 | keys.size());
    heap_sort(keys);
    std::vector<size_t> order;
    for (const uint64_t key : keys) order.push_back(static_cast<uint32_t>(key));
    return order;
  }

  Status begin(ModelDescription& description, std::vector<std::byte>& out) override {
    if (!description.layers)
      return input_error(Reason::missing,
                         "a tinyRuntime file contains a ResNet, but this model is not described as one");
    QUINTET_TRY(const Network graph, checked_network(*description.layers));
    QUINTET_TRY(FileTable table, plan_table(description, graph));
    write_table(table, out);
    description = describe(std::move(table), graph);  // the format cannot store metadata
    expect(description.tensors);
    return {};
  }

 private:
  Status put_head(const TensorInfo& placed, const TensorInfo& info, std::vector<std::byte>& out) override {
    if (info.name != placed.name) return unannounced();
    if (placed.quantization.scheme != Scheme::group_int8) flush_scales(out);
    scales_left_ = placed.scales_bytes;
    return {};
  }

  // The scales come first in a payload, and last in the file.
  void put_payload(Bytes piece, std::vector<std::byte>& out) override {
    const auto scales = static_cast<std::ptrdiff_t>(std::min<uint64_t>(piece.size(), scales_left_));
    held_scales_.insert(held_scales_.end(), piece.begin(), piece.begin() + scales);
    out.insert(out.end(), piece.begin() + scales, piece.end());
    scales_left_ -= static_cast<uint64_t>(scales);
  }

  Status put_end(std::vector<std::byte>& out) override {
    flush_scales(out);
    return {};
  }

  void flush_scales(std::vector<std::byte>& out) {
    out.insert(out.end(), held_scales_.begin(), held_scales_.end());
    held_scales_.clear();
  }

  uint64_t scales_left_ = 0;  // of the current tensor
  std::vector<std::byte> held_scales_;
};

}  // namespace

Status fill_offsets(FileTable& table) {
  uint64_t parameters = 0, floats = 0;
  const bool vanilla = table.layers.kind == NetworkKind::vanilla;
  for (size_t i = 0; i < table.records.size(); ++i) {
    table.records[i].offset = static_cast<int32_t>(parameters);
    table.records[i].scales_offset = static_cast<int32_t>(floats);
    parameters += vanilla ? parameter_bytes(table, i) / kWord : parameter_bytes(table, i);
    if (table.layers.kind == NetworkKind::dq8) floats += scale_values(table, i);
    if (parameters > kMaxOffset) return input_error(Reason::limit, "more parameters than 32-bit offsets can address");
  }
  if (vanilla) floats = parameters;
  for (const uint32_t channels : table.layers.batch_norms) {
    table.batch_norm_offsets.push_back(static_cast<int32_t>(floats));
    floats += kBatchNormArrays * channels;
  }
  if (floats > kMaxOffset) return input_error(Reason::limit, "more parameters than 32-bit offsets can address");
  table.quantized_bytes = vanilla ? 0 : static_cast<int32_t>(parameters);
  return {};
}

void write_table(const FileTable& table, std::vector<std::byte>& bytes) {
  ByteWriter out;
  put_header(out, table);
  const LayerTable& layers = table.layers;
  for (size_t i = 0; i < layers.convs.size(); ++i) {
    const ConvLayer& conv = layers.convs[i];
    for (const uint32_t size : {conv.kernel, conv.stride, conv.padding, conv.in_channels, conv.out_channels})
      out.put(size);
    put_kind_words(out, layers.kind, table.records[i], conv.bias, conv.output);
  }
  for (size_t i = 0; i < layers.linears.size(); ++i) {
    const LinearLayer& linear = layers.linears[i];
    out.put(linear.in_features);
    out.put(linear.out_features);
    put_kind_words(out, layers.kind, table.records[layers.convs.size() + i], linear.bias, linear.output);
  }
  for (size_t i = 0; i < layers.batch_norms.size(); ++i) {
    out.put(layers.batch_norms[i]);
    out.put(table.batch_norm_offsets[i]);
  }
  for (const ActivationQuantization& activation : layers.activations) {
    out.put(activation.scale);
    out.put(activation.zero_point);
  }
  const Bytes written = out.bytes();
  bytes.insert(bytes.end(), written.begin(), written.end());
}

Result<FileTable> plan_table(const ModelDescription& description, const Network& graph) {
  FileTable table;
  table.layers = *description.layers;
  LayerTable& layers = table.layers;
  if (layers.kind == NetworkKind::sq8) layers.asymmetric = true;
  if (layers.kind != NetworkKind::sq8) layers.activations.clear();
  table.places = {layers.kind,
                  {.convs = static_cast<uint32_t>(layers.convs.size()),
                   .linears = static_cast<uint32_t>(layers.linears.size()),
                   .batch_norms = static_cast<uint32_t>(layers.batch_norms.size()),
                   .activations = static_cast<uint32_t>(layers.activations.size())}};
  QUINTET_CHECK(take_tensors(description, graph, table));
  QUINTET_CHECK(fill_offsets(table));
  return table;
}

std::unique_ptr<ModelWriter> make_writer() { return std::make_unique<Writer>(); }

}  // namespace quintet::tinyruntime
