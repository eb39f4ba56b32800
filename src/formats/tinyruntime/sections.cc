#include "formats/tinyruntime/sections.h"

#include <string>

namespace quintet::tinyruntime {
namespace {

// The offset field of one part of the float section.
struct FloatOffset {
  int64_t stored = 0;
  uint64_t expected = 0;  // in elements
  uint64_t at = 0;        // of the field
};

uint64_t groups(uint64_t values, uint32_t group) { return values == 0 ? 0 : values / group; }

uint64_t scale_values(const FileTable& table, size_t layer, bool asymmetric) {
  const LayerRecord& record = table.records[layer];
  const uint64_t scales =
      groups(table.weights(layer), record.weight_group) + groups(table.biases(layer), record.bias_group);
  return asymmetric ? 2 * scales : scales;
}

std::vector<FloatOffset> float_offsets(const FileTable& table, bool asymmetric) {
  std::vector<FloatOffset> offsets;
  uint64_t total = 0;
  const NetworkKind kind = table.layers.kind;
  for (size_t i = 0; i < table.records.size() && kind != NetworkKind::sq8; ++i) {
    const bool vanilla = kind == NetworkKind::vanilla;
    offsets.push_back({vanilla ? table.records[i].offset : table.records[i].scales_offset, total,
                       vanilla ? table.places.layer_offset(i) : table.places.layer_kind(i) + dq8_at::kScalesOffset});
    total += vanilla ? table.weights(i) + table.biases(i) : scale_values(table, i, asymmetric);
  }
  for (size_t i = 0; i < table.batch_norm_offsets.size(); ++i) {
    offsets.push_back({table.batch_norm_offsets[i], total, table.places.batch_norm(i) + batch_norm_at::kOffset});
    total += kBatchNormArrays * table.layers.batch_norms[i];
  }
  return offsets;
}

bool agrees(const FloatOffset& offset, uint64_t unit) {
  return offset.stored >= 0 && static_cast<uint64_t>(offset.stored) == offset.expected * unit;
}

size_t wrong_offsets(const std::vector<FloatOffset>& offsets, uint64_t unit) {
  size_t wrong = 0;
  for (const FloatOffset& offset : offsets) wrong += agrees(offset, unit) ? 0U : 1U;
  return wrong;
}

// In elements or in bytes, but all in the same unit: the one in which fewer are wrong.
Status check_float_offsets(const FileTable& table) {
  const std::vector<FloatOffset> offsets = float_offsets(table, table.layers.asymmetric);
  const size_t wrong_elements = wrong_offsets(offsets, 1), wrong_bytes = wrong_offsets(offsets, kWord);
  if (wrong_elements == 0 || wrong_bytes == 0) return {};
  const std::vector<FloatOffset> other = float_offsets(table, !table.layers.asymmetric);
  if (wrong_offsets(other, 1) == 0 || wrong_offsets(other, kWord) == 0) {
    return format_error(Reason::mismatch, header_at::kAsymmetric,
                        "the offsets of the scales contradict the flag asymmetric of the header");
  }
  const uint64_t unit = wrong_elements <= wrong_bytes ? 1 : kWord;
  for (const FloatOffset& offset : offsets) {
    if (agrees(offset, unit)) continue;
    return format_error(Reason::mismatch, offset.at, "an offset of {}, but the running total is {} elements, {} bytes",
                        offset.stored, offset.expected, offset.expected * kWord);
  }
  return {};
}

Status check_quantized_offsets(const FileTable& table) {
  uint64_t total = 0;
  for (size_t i = 0; i < table.records.size(); ++i) {
    const int64_t stored = table.records[i].offset;
    if (stored < 0 || static_cast<uint64_t>(stored) != total) {
      return format_error(Reason::mismatch, table.places.layer_offset(i),
                          "an offset of {}, but the running total is {}", stored, total);
    }
    total += parameter_bytes(table, i);
  }
  const int64_t stored = table.quantized_bytes;
  if (stored >= 0 && static_cast<uint64_t>(stored) == total) return {};
  return format_error(Reason::mismatch, header_at::kQuantizedBytes,
                      "{} bytes of quantized parameters, but the layers have {}", stored, total);
}

Status check_group(uint32_t group, uint64_t grouped, uint64_t at) {
  if (group != 0 && grouped % group == 0) return {};
  return format_error(Reason::mismatch, at, "groups of {} do not divide {}", static_cast<int32_t>(group), grouped);
}

Status check_groups(const FileTable& table) {
  for (size_t i = 0; i < table.records.size(); ++i) {
    const bool conv = i < table.layers.convs.size();
    const uint64_t outputs =
        conv ? table.layers.convs[i].out_channels : table.layers.linears[i - table.layers.convs.size()].out_features;
    const uint64_t at = table.places.layer_kind(i);
    const LayerRecord& record = table.records[i];
    QUINTET_CHECK(check_group(record.weight_group, table.weights(i) / outputs, at + dq8_at::kWeightGroup));
    if (record.bias_group != 0) QUINTET_CHECK(check_group(record.bias_group, outputs, at + dq8_at::kBiasGroup));
  }
  return {};
}

// Whether the offset after a layer matches the end of its parameters.
bool size_is_confirmed(const FileTable& table, size_t layer, std::optional<uint64_t> total) {
  const bool vanilla = table.layers.kind == NetworkKind::vanilla;
  const uint64_t bytes = parameter_bytes(table, layer);
  int64_t next = table.quantized_bytes;
  if (layer + 1 < table.records.size()) {
    next = table.records[layer + 1].offset;
  } else if (vanilla && !table.batch_norm_offsets.empty()) {
    next = table.batch_norm_offsets[0];
  } else if (vanilla) {
    return total == file_bytes(table);
  }
  const int64_t distance = next - table.records[layer].offset;
  const auto is = [distance](uint64_t size) { return distance >= 0 && static_cast<uint64_t>(distance) == size; };
  return is(bytes) || (vanilla && is(bytes / kWord));
}

size_t layer_of(const LayerField& field, const FileTable& table) {
  return field.part == LayerField::Part::conv ? field.index : table.layers.convs.size() + field.index;
}

}  // namespace

uint64_t parameter_bytes(const FileTable& table, size_t layer) {
  switch (table.layers.kind) {
    case NetworkKind::vanilla:
      return kWord * (table.weights(layer) + table.biases(layer));
    case NetworkKind::dq8:
      return table.weights(layer) + table.biases(layer);
    case NetworkKind::sq8:
      break;
  }
  return table.weights(layer) + kWord * table.biases(layer);
}

uint64_t scale_values(const FileTable& table, size_t layer) {
  return scale_values(table, layer, table.layers.asymmetric);
}

uint64_t file_bytes(const FileTable& table) {
  uint64_t bytes = table.places.end();
  for (size_t i = 0; i < table.records.size(); ++i) {
    bytes += parameter_bytes(table, i);
    if (table.layers.kind == NetworkKind::dq8) bytes += kWord * scale_values(table, i);
  }
  for (const uint32_t channels : table.layers.batch_norms) bytes += kWord * kBatchNormArrays * channels;
  return bytes;
}

uint64_t blame(const LayerFault& fault, const FileTable& table, std::optional<uint64_t> total) {
  // Bytes that cannot be an activation, in a file of the wrong size: the number of activations is too high.
  if (fault.field.part == LayerField::Part::activation && total && *total != file_bytes(table))
    return header_at::kActivations;
  const bool other = fault.against && !size_is_confirmed(table, layer_of(*fault.against, table), total);
  return place_of(other ? *fault.against : fault.field, table.places);
}

Status check_sections(const FileTable& table) {
  if (table.layers.kind == NetworkKind::dq8) QUINTET_CHECK(check_groups(table));
  if (table.layers.kind != NetworkKind::vanilla) QUINTET_CHECK(check_quantized_offsets(table));
  return check_float_offsets(table);
}

}  // namespace quintet::tinyruntime
