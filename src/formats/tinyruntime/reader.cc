#include "formats/tinyruntime/reader.h"

#include <optional>
#include <string>
#include <utility>

#include "formats/resnet_check.h"
#include "formats/tensor_data.h"
#include "formats/tinyruntime/description.h"
#include "formats/tinyruntime/file_table.h"
#include "formats/tinyruntime/grouped_data.h"
#include "formats/tinyruntime/kind.h"
#include "formats/tinyruntime/sections.h"
#include "formats/tinyruntime/tensors.h"

namespace quintet::tinyruntime {
namespace {

// Looks ahead only: the table is read in one piece once its size is known.
Parse<TablePlaces> find_places(ByteStream& in, ReadOptions options) {
  QUINTET_CO_TRY(const Bytes counts, co_await in.peek(kCountBytes));
  if (counts.size() < kCountBytes) {
    co_return format_error(Reason::truncated, counts.size(), "a header of at least 16 bytes expected");
  }
  QUINTET_CO_TRY(const ResNetGraph graph, read_counts(counts));
  // No kind has a smaller table, so that this reads nothing behind it.
  const TablePlaces smallest{NetworkKind::vanilla, counts_in(counts)};
  QUINTET_CO_TRY(const Bytes head, co_await in.peek(smallest.end()));
  QUINTET_CO_TRY(const NetworkKind kind, find_kind(head, graph, options.network_kind));
  co_return read_places(head, kind, graph);
}

Result<ResNetGraph> check_table(const FileTable& table, std::optional<uint64_t> total) {
  auto graph = recognise_resnet(table.layers);
  if (!graph) {
    const LayerFault& fault = graph.error();
    return format_error(Reason::mismatch, blame(fault, table, total), fault.detail);
  }
  QUINTET_CHECK(check_sections(table));
  return *std::move(graph);
}

// Every kind predicts the exact size (docs/formats/tinyruntime.md). That of the other kinds is not known: read as they
// would, the table has no sense.
Status check_size(const FileTable& table, std::optional<uint64_t> total) {
  const uint64_t expected = file_bytes(table);
  if (!total || *total == expected) return {};
  const std::string detail = "as " + std::string(name_of(table.layers.kind)) +
                             ", the only kind that the table can be of, the file would have " +
                             std::to_string(expected) + " bytes, it has " + std::to_string(*total);
  if (*total < expected) return format_error(Reason::truncated, *total, detail);
  return format_error(Reason::trailing, expected, detail);
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
  QUINTET_CO_TRY(const ResNetGraph graph, check_table(table, total));
  QUINTET_CO_CHECK(check_size(table, total));
  ModelDescription description = describe(std::move(table), graph);
  QUINTET_CO_CHECK(sink.begin(description));
  QUINTET_CO_CHECK(co_await read_data(in, sink, description));
  QUINTET_CO_TRY(const Bytes more, co_await in.peek());
  if (!more.empty()) co_return format_error(Reason::trailing, in.offset(), "bytes after the last parameter");
  co_return sink.end(std::move(description));
}

}  // namespace

Parse<void> read(ByteStream& in, ModelSink& sink, ReadOptions options) {
  Status status = co_await read_file(in, sink, options);
  if (!status) co_return fail(in_format(std::move(status).error(), name_of(Format::tinyruntime)));
  co_return Status();
}

}  // namespace quintet::tinyruntime
