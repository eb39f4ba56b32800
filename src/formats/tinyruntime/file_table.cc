#include "formats/tinyruntime/file_table.h"

#include <string>

#include "base/byte_reader.h"
#include "tensor/packed/paired_matrix.h"

namespace quintet::tinyruntime {
namespace {

// The exporter writes about three per block.
constexpr uint32_t kMaxActivations = 1U << 16;

// Reads one field after the other from a record.
class Fields {
 public:
  Fields(Bytes table, uint64_t at) : table_(table), at_(static_cast<size_t>(at)) {}
  template <class T>
  T next() {
    static_assert(sizeof(T) == kWord);
    const T value = load_le<T>(table_, at_);
    at_ += sizeof(T);
    return value;
  }
  uint64_t at() const { return at_; }

 private:
  Bytes table_;
  size_t at_;
};

Result<bool> read_flag(Fields& fields) {
  const uint64_t at = fields.at();
  const auto flag = fields.next<int32_t>();
  if (flag == 0 || flag == 1) return flag == 1;
  return format_error(Reason::unknown_value, at, "a flag of {}, expected 0 or 1", flag);
}

ActivationQuantization read_activation(Fields& fields) {
  const auto scale = fields.next<float>();
  return {.scale = scale, .zero_point = fields.next<int32_t>()};
}

// Exporters write any zero point, even one that no q reaches (docs/formats/tinyruntime.md, "Values").
Result<int32_t> read_weight_zero_point(Fields& fields) {
  const uint64_t at = fields.at();
  const auto zero_point = fields.next<int32_t>();
  if (zero_point >= -kMaxZeroPoint && zero_point <= kMaxZeroPoint) return zero_point;
  return format_error(Reason::limit, at,
                      "a zero point of {} is outside of +-{}, beyond which q minus it does not fit 16 bits", zero_point,
                      kMaxZeroPoint);
}

// The words that the kind adds to a record. `bias` and `output` are those of the layer.
Result<LayerRecord> read_kind_words(Fields& fields, NetworkKind kind, bool& bias, ActivationQuantization& output) {
  LayerRecord record;
  record.offset = fields.next<int32_t>();
  switch (kind) {
    case NetworkKind::vanilla: {
      QUINTET_TRY(bias, read_flag(fields));
      break;
    }
    case NetworkKind::dq8:
      record.scales_offset = fields.next<int32_t>();
      record.weight_group = fields.next<uint32_t>();
      record.bias_group = fields.next<uint32_t>();
      bias = record.bias_group != 0;
      break;
    case NetworkKind::sq8: {
      record.weight_scale = fields.next<float>();
      QUINTET_TRY(record.weight_zero_point, read_weight_zero_point(fields));
      output = read_activation(fields);
      QUINTET_TRY(bias, read_flag(fields));
      break;
    }
  }
  return record;
}

Result<LayerRecord> read_conv(Fields fields, NetworkKind kind, ConvLayer& conv) {
  conv.kernel = fields.next<uint32_t>();
  conv.stride = fields.next<uint32_t>();
  conv.padding = fields.next<uint32_t>();
  conv.in_channels = fields.next<uint32_t>();
  conv.out_channels = fields.next<uint32_t>();
  return read_kind_words(fields, kind, conv.bias, conv.output);
}

Result<LayerRecord> read_linear(Fields fields, NetworkKind kind, LinearLayer& linear) {
  linear.in_features = fields.next<uint32_t>();
  linear.out_features = fields.next<uint32_t>();
  return read_kind_words(fields, kind, linear.bias, linear.output);
}

Counts counts_in(Bytes head) {
  return {.convs = load_le<uint32_t>(head, header_at::kConvs),
          .linears = load_le<uint32_t>(head, header_at::kLinears),
          .batch_norms = load_le<uint32_t>(head, header_at::kBatchNorms)};
}

Status check_activation_count(NetworkKind kind, uint32_t count, uint32_t min) {
  const bool is_static = kind == NetworkKind::sq8;
  if (!is_static) min = 0;
  const uint32_t max = is_static ? kMaxActivations : 0;
  if (count >= min && count <= max) return {};
  return format_error(Reason::limit, header_at::kActivations, "{} activations; this network as {} has {} to {}",
                      static_cast<int32_t>(count), name_of(kind), min, max);
}

uint64_t table_place(LayerField::Name name) {
  switch (name) {
    case LayerField::Name::convolutions:
      return header_at::kConvs;
    case LayerField::Name::linears:
      return header_at::kLinears;
    case LayerField::Name::batch_norms:
      return header_at::kBatchNorms;
    case LayerField::Name::activations:
      return header_at::kActivations;
    default:
      return header_at::kClasses;
  }
}

uint64_t place_in_conv(LayerField::Name name) {
  switch (name) {
    case LayerField::Name::stride:
      return conv_at::kStride;
    case LayerField::Name::padding:
      return conv_at::kPadding;
    case LayerField::Name::in:
      return conv_at::kIn;
    case LayerField::Name::out:
      return conv_at::kOut;
    case LayerField::Name::output_zero_point:
      return conv_at::kKind + sq8_at::kOutputZeroPoint;
    default:
      return conv_at::kKernel;
  }
}

uint64_t place_in_linear(LayerField::Name name) {
  switch (name) {
    case LayerField::Name::out:
      return linear_at::kOut;
    case LayerField::Name::output_zero_point:
      return linear_at::kKind + sq8_at::kOutputZeroPoint;
    default:
      return linear_at::kIn;
  }
}

}  // namespace

uint64_t FileTable::weights(size_t layer) const {
  if (layer >= layers.convs.size()) {
    const LinearLayer& linear = layers.linears[layer - layers.convs.size()];
    return uint64_t{linear.in_features} * linear.out_features;
  }
  const ConvLayer& conv = layers.convs[layer];
  return uint64_t{conv.kernel} * conv.kernel * conv.in_channels * conv.out_channels;
}

uint64_t FileTable::biases(size_t layer) const {
  if (layer < layers.convs.size()) return layers.convs[layer].bias ? layers.convs[layer].out_channels : 0;
  const LinearLayer& linear = layers.linears[layer - layers.convs.size()];
  return linear.bias ? linear.out_features : 0;
}

uint64_t place_of(const LayerField& field, const TablePlaces& places) {
  switch (field.part) {
    case LayerField::Part::table:
      return table_place(field.name);
    case LayerField::Part::conv:
      return places.conv(field.index) + place_in_conv(field.name);
    case LayerField::Part::linear:
      return places.linear(field.index) + place_in_linear(field.name);
    case LayerField::Part::batch_norm:
      return places.batch_norm(field.index) + batch_norm_at::kSize;
    case LayerField::Part::activation:
      break;
  }
  return places.activation(field.index) + kWord;  // its zero point
}

Result<Counts> read_counts(Bytes head) {
  const auto classes = load_le<uint32_t>(head, header_at::kClasses);
  if (classes == 0 || classes > kMaxChannels) {
    return format_error(Reason::limit, header_at::kClasses, "{} classes", static_cast<int32_t>(classes));
  }
  return counts_in(head);
}

Result<TablePlaces> read_places(Bytes head, NetworkKind kind, uint32_t min_activations) {
  TablePlaces places{kind, counts_in(head)};
  if (kind == NetworkKind::vanilla) return places;
  if (head.size() < header_bytes(kind)) {
    return format_error(Reason::truncated, head.size(), "a header of {} bytes was expected", header_bytes(kind));
  }
  places.counts.activations = load_le<uint32_t>(head, header_at::kActivations);
  QUINTET_CHECK(check_activation_count(kind, places.counts.activations, min_activations));
  return places;
}

Result<FileTable> read_table(Bytes bytes, const TablePlaces& places) {
  FileTable table;
  table.places = places;
  LayerTable& layers = table.layers;
  const Counts& counts = places.counts;
  layers.kind = places.kind;
  layers.classes = load_le<uint32_t>(bytes, header_at::kClasses);
  if (places.kind != NetworkKind::vanilla) {
    table.quantized_bytes = load_le<int32_t>(bytes, header_at::kQuantizedBytes);
    Fields asymmetric(bytes, header_at::kAsymmetric);
    QUINTET_TRY(layers.asymmetric, read_flag(asymmetric));
    if (places.kind == NetworkKind::sq8 && !layers.asymmetric) {
      return format_error(Reason::unknown_value, header_at::kAsymmetric,
                          "static quantization must be asymmetric (1), found 0");
    }
  }
  layers.convs.resize(counts.convs);
  layers.linears.resize(counts.linears);
  for (uint32_t i = 0; i < counts.convs; ++i) {
    QUINTET_TRY(const LayerRecord record, read_conv(Fields(bytes, places.conv(i)), places.kind, layers.convs[i]));
    table.records.push_back(record);
  }
  for (uint32_t i = 0; i < counts.linears; ++i) {
    QUINTET_TRY(const LayerRecord record, read_linear(Fields(bytes, places.linear(i)), places.kind, layers.linears[i]));
    table.records.push_back(record);
  }
  for (uint32_t i = 0; i < counts.batch_norms; ++i) {
    Fields fields(bytes, places.batch_norm(i));
    layers.batch_norms.push_back(fields.next<uint32_t>());
    table.batch_norm_offsets.push_back(fields.next<int32_t>());
  }
  for (uint32_t i = 0; i < counts.activations; ++i) {
    Fields fields(bytes, places.activation(i));
    layers.activations.push_back(read_activation(fields));
  }
  return table;
}

}  // namespace quintet::tinyruntime
