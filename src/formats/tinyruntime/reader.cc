#include "formats/tinyruntime/reader.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/byte_reader.h"
#include "base/byte_stream.h"
#include "base/bytes.h"
#include "base/result.h"
#include "formats/layer_table.h"
#include "formats/tinyruntime/check.h"
#include "formats/tinyruntime/layout.h"
#include "formats/tinyruntime/sections.h"
#include "formats/tinyruntime/tensors.h"

namespace quintet::tinyruntime {
namespace {

Quantization group_quantization(const FileTable& table, const NetworkTensor& tensor) {
  const LayerRecord& record = table.records[tensor.layer];
  return {.scheme = Scheme::group_int8,
          .block = tensor.part == TensorPart::bias ? record.bias_group : record.weight_group,
          .scale_dtype = Dtype::f32,
          .asymmetric = table.layers.asymmetric};
}

Quantization tensor_quantization(const LayerRecord& record, const ActivationQuantization& input, TensorPart part) {
  if (part == TensorPart::bias) return {.scheme = Scheme::tensor_int32, .scale = input.scale * record.weight_scale};
  return {.scheme = Scheme::tensor_int8, .scale = record.weight_scale, .zero_point = record.weight_zero_point};
}

uint64_t element_bytes(const TensorInfo& info) {
  return info.quantized() && info.quantization.scheme != Scheme::tensor_int32 ? 1 : kWord;
}

uint64_t scale_bytes(const TensorInfo& info) {
  if (info.quantization.scheme != Scheme::group_int8) return 0;
  return info.elements() / info.quantization.block * kWord * (info.quantization.asymmetric ? 2 : 1);
}

std::vector<TensorInfo> described_tensors(const FileTable& table, const Network& graph) {
  const bool is_static = table.layers.kind == NetworkKind::sq8;
  const std::vector<ActivationQuantization> inputs =
      is_static ? layer_inputs(table.layers, graph) : std::vector<ActivationQuantization>();
  std::vector<TensorInfo> infos;
  for (NetworkTensor& tensor : network_tensors(table.layers, graph)) {
    TensorInfo info{.name = std::move(tensor.name), .quantization = {}, .shape = std::move(tensor.shape)};
    if (tensor.part != TensorPart::batch_norm && table.layers.kind == NetworkKind::dq8) {
      info.quantization = group_quantization(table, tensor);
    } else if (tensor.part != TensorPart::batch_norm && is_static) {
      info.quantization = tensor_quantization(table.records[tensor.layer], inputs[tensor.layer], tensor.part);
    }
    infos.push_back(std::move(info));
  }
  return infos;
}

// In the order of the data: weights and biases of the layers, then the arrays of the batch norms.
std::vector<TensorInfo> tensors_of(const FileTable& table, const Network& graph) {
  std::vector<TensorInfo> infos = described_tensors(table, graph);
  uint64_t at = table.places.end();
  const auto place_data = [&at](TensorInfo& info) {
    info.offset = at;
    info.bytes = info.elements() * element_bytes(info);
    at += info.bytes;
  };
  const size_t batch_norms = infos.size() - kBatchNormArrays * table.layers.batch_norms.size();
  for (size_t i = 0; i < batch_norms; ++i) place_data(infos[i]);
  // Scales follow all quantized data.
  for (TensorInfo& info : infos) {
    info.scales_bytes = scale_bytes(info);
    info.scales_offset = info.scales_bytes == 0 ? 0 : at;
    at += info.scales_bytes;
  }
  for (size_t i = batch_norms; i < infos.size(); ++i) place_data(infos[i]);
  return infos;
}

// Per layer: offsets of weights and biases (0: no biases).
Json group_sizes(const FileTable& table) {
  Json sizes = Json::array();
  for (const LayerRecord& record : table.records) {
    Json pair = Json::array();
    pair.push_back(record.weight_group);
    pair.push_back(record.bias_group);
    sizes.push_back(std::move(pair));
  }
  return sizes;
}

Json config_of(const FileTable& table, const Network& graph) {
  const LayerTable& layers = table.layers;
  Json config = Json::object();
  config.append("classes", layers.classes);
  config.append("conv", uint64_t{layers.convs.size()});
  config.append("linear", uint64_t{layers.linears.size()});
  config.append("bn", uint64_t{layers.batch_norms.size()});
  config.append("tail", name_of(graph.tail));
  if (layers.kind == NetworkKind::sq8) config.append("activations", uint64_t{layers.activations.size()});
  if (layers.kind == NetworkKind::dq8) {
    config.append("asymmetric", layers.asymmetric);
    config.append("group_sizes", group_sizes(table));
  }
  return config;
}

struct HeldTensor {
  std::unique_ptr<ByteSink> sink;
  std::vector<std::byte> data;  // grows with the bytes that arrive
};

Parse<void> hold_data(ByteStream& in, ModelSink& sink, const TensorInfo& info, HeldTensor& held) {
  QUINTET_CO_TRY(held.sink, sink.tensor({.info = info, .bytes_exist = in.length_known()}));
  if (!held.sink) QUINTET_CO_CHECK(co_await in.skip(info.bytes));
  if (held.sink && in.length_known())
    held.data.reserve(static_cast<size_t>(info.bytes));  // the file is known to hold them
  while (held.sink && held.data.size() < info.bytes) {
    QUINTET_CO_TRY(const Bytes piece, co_await in.some(info.bytes - held.data.size()));
    held.data.insert(held.data.end(), piece.begin(), piece.end());
  }
  co_return Status();
}

Parse<void> write_payload(ByteStream& in, const TensorInfo& info, HeldTensor held) {
  if (!held.sink) {
    QUINTET_CO_CHECK(co_await in.skip(info.scales_bytes));
    co_return Status();
  }
  for (uint64_t missing = info.scales_bytes; missing != 0;) {
    QUINTET_CO_TRY(const Bytes piece, co_await in.some(missing));
    missing -= piece.size();
    QUINTET_CO_CHECK(held.sink->write(piece));
  }
  QUINTET_CO_CHECK(held.sink->write(held.data));
  co_return held.sink->finish();
}

// The quantized tensors of a dq8 file. The file has first all data, then all scales, but the payload of a tensor starts
// with its scales. So the data of tensors that have a sink is held until their scales have arrived.
Parse<void> read_grouped_data(ByteStream& in, ModelSink& sink, const std::vector<TensorInfo>& tensors) {
  std::vector<HeldTensor> held(tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i) {
    Status status = co_await hold_data(in, sink, tensors[i], held[i]);
    if (!status) co_return in_tensor(failure_of(std::move(status)), tensors[i].name);
  }
  for (size_t i = 0; i < tensors.size(); ++i) {
    Status status = co_await write_payload(in, tensors[i], std::move(held[i]));
    if (!status) co_return in_tensor(failure_of(std::move(status)), tensors[i].name);
  }
  co_return Status();
}

struct Match {
  size_t right = 0, wrong = 0;
};

// Compares the convolutions in `head` with the shapes of the network.
Match match(Bytes head, NetworkKind kind, std::span<const ConvShape> shapes) {
  const TablePlaces places{kind, {}};
  Match found;
  for (size_t i = 0; i < shapes.size() && places.conv(i) + conv_at::kIn <= head.size(); ++i) {
    const auto at = static_cast<size_t>(places.conv(i));
    const ConvShape shape{load_le<uint32_t>(head, at + conv_at::kKernel),
                          load_le<uint32_t>(head, at + conv_at::kStride),
                          load_le<uint32_t>(head, at + conv_at::kPadding)};
    ++(shape == shapes[i] ? found.right : found.wrong);
  }
  return found;
}

// Determines the kind of a network, which the file does not contain (docs/formats/tinyruntime.md, "Which kind it is").
// `head` is the start of the file, as long as the table of the smallest kind, or the whole file. The result is the kind
// under whose layout the convolutions have the shapes of `network`. A few of them may be wrong, so that the error about
// them has their position. `asked`: the kind named by the caller.
Result<NetworkKind> find_kind(Bytes head, std::span<const ConvShape> shapes, std::string_view network,
                              std::optional<NetworkKind> asked) {
  // With more wrong convolutions than this, their number is wrong.
  constexpr size_t kMaxWrong = 2;
  NetworkKind best = asked.value_or(NetworkKind::vanilla);
  Match best_match = match(head, best, shapes);
  for (const NetworkKind kind : {NetworkKind::dq8, NetworkKind::sq8}) {
    const Match found = match(head, kind, shapes);
    if (asked || found.right <= best_match.right) continue;
    best = kind;
    best_match = found;
  }
  if (best_match.wrong <= kMaxWrong) return best;
  const std::string kind = asked ? std::string(name_of(*asked)) : "vanilla, dq8 or sq8";
  return format_error(Reason::mismatch, header_at::kConvs, "the {} convolutions, read as {}, are not those of {}",
                      shapes.size(), kind, network);
}

// Only looks ahead: the table is read in one piece once its size is known.
Parse<TablePlaces> find_places(ByteStream& in, ReadOptions options) {
  QUINTET_CO_TRY(const Bytes counts, co_await in.peek(kCountBytes));
  if (counts.size() < kCountBytes) {
    co_return format_error(Reason::truncated, counts.size(), "expected a header of at least 16 bytes");
  }
  QUINTET_CO_TRY(const Counts count, read_counts(counts));
  const auto graph = network_of_counts(count.convs, count.linears, count.batch_norms);
  if (!graph) co_return unsupported_at(place_of(graph.error().field, {}), "{}", graph.error().detail);
  // No kind has a smaller table, so this does not read beyond the table.
  const TablePlaces smallest{NetworkKind::vanilla, count};
  QUINTET_CO_TRY(const Bytes head, co_await in.peek(smallest.end()));
  QUINTET_CO_TRY(const NetworkKind kind,
                 find_kind(head, conv_shapes(*graph), graph->architecture, options.network_kind));
  co_return read_places(head, kind, graph->min_activations());
}

Result<Network> check_table(const FileTable& table, std::optional<uint64_t> total) {
  auto graph = recognise_network(table.layers);
  if (!graph) {
    const LayerFault& fault = graph.error();
    return format_error(Reason::mismatch, blame(fault, table, total), "{}", fault.detail);
  }
  QUINTET_CHECK(check_sections(table));
  return *std::move(graph);
}

// Every kind predicts the exact size of the file (docs/formats/tinyruntime.md, "Which kind it is"). The sizes for the
// other kinds are unknown, because under their layout the table makes no sense.
Status check_size(const FileTable& table, std::optional<uint64_t> total) {
  const uint64_t expected = file_bytes(table);
  if (!total || *total == expected) return {};
  const std::string detail =
      formatted("as {}, the only kind that fits the table, the file would have {} bytes, but it has {}",
                name_of(table.layers.kind), expected, *total);
  if (*total < expected) return format_error(Reason::truncated, *total, "{}", detail);
  return format_error(Reason::trailing, expected, "{}", detail);
}

Parse<void> read_data(ByteStream& in, ModelSink& sink, const ModelDescription& description) {
  const std::vector<TensorInfo>& tensors = description.tensors;
  size_t next = 0;
  if (description.layers->kind == NetworkKind::dq8) {
    next = tensors.size() - kBatchNormArrays * description.layers->batch_norms.size();
    const std::vector<TensorInfo> grouped(tensors.begin(), tensors.begin() + static_cast<std::ptrdiff_t>(next));
    QUINTET_CO_CHECK(co_await read_grouped_data(in, sink, grouped));
  }
  for (; next < tensors.size(); ++next) QUINTET_CO_CHECK(co_await read_tensor_data(in, sink, tensors[next]));
  co_return Status();
}

Parse<void> read_file(ByteStream& in, ModelSink& sink, ReadOptions options) {
  QUINTET_CO_TRY(const TablePlaces places, co_await find_places(in, options));
  const std::optional<uint64_t> total = in.length_known() ? in.total() : std::nullopt;
  QUINTET_CO_TRY(const Bytes bytes, co_await in.bytes(places.end()));
  QUINTET_CO_TRY(FileTable table, read_table(bytes, places));
  QUINTET_CO_TRY(const Network graph, check_table(table, total));
  QUINTET_CO_CHECK(check_size(table, total));
  ModelDescription description = describe(std::move(table), graph);
  QUINTET_CO_CHECK(sink.begin(description));
  QUINTET_CO_CHECK(co_await read_data(in, sink, description));
  QUINTET_CO_TRY(const Bytes more, co_await in.peek());
  if (!more.empty()) co_return format_error(Reason::trailing, in.offset(), "there are bytes after the last parameter");
  co_return sink.end(std::move(description));
}

}  // namespace

ModelDescription describe(FileTable table, const Network& graph) {
  ModelDescription description;
  description.format = Format::tinyruntime;
  description.kind = name_of(table.layers.kind);
  description.file_size = file_bytes(table);
  description.architecture = graph.architecture;
  description.config = config_of(table, graph);
  description.tensors = tensors_of(table, graph);
  description.layers = std::move(table.layers);
  return description;
}

Parse<void> read(ByteStream& in, ModelSink& sink, ReadOptions options) {
  Status status = co_await read_file(in, sink, options);
  if (!status) co_return in_format(failure_of(std::move(status)), name_of(Format::tinyruntime));
  co_return Status();
}

}  // namespace quintet::tinyruntime
