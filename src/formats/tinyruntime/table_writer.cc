#include "formats/tinyruntime/table_writer.h"

#include <string>

#include "base/byte_writer.h"
#include "formats/tinyruntime/sections.h"

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

}  // namespace

Status fill_offsets(FileTable& table) {
  uint64_t parameters = 0, floats = 0;
  const bool vanilla = table.layers.kind == NetworkKind::vanilla;
  for (size_t i = 0; i < table.records.size(); ++i) {
    table.records[i].offset = static_cast<int32_t>(parameters);
    table.records[i].scales_offset = static_cast<int32_t>(floats);
    parameters += vanilla ? parameter_bytes(table, i) / kWord : parameter_bytes(table, i);
    if (table.layers.kind == NetworkKind::dq8) floats += scale_values(table, i);
    if (parameters > kMaxOffset) return input_error(Reason::limit, "more parameters than 32-bit offsets reach");
  }
  if (vanilla) floats = parameters;
  for (const uint32_t channels : table.layers.batch_norms) {
    table.batch_norm_offsets.push_back(static_cast<int32_t>(floats));
    floats += kBatchNormArrays * channels;
  }
  if (floats > kMaxOffset) return input_error(Reason::limit, "more parameters than 32-bit offsets reach");
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

}  // namespace quintet::tinyruntime
