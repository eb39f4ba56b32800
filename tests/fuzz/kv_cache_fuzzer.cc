// Any bytes as a KV cache file, for any model and for the one that it names: pieces of any size are the same file, and
// what is read is written in each storage and read again.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runtime/kv/cache_writer.h"
#include "runtime/kv/kv_cache_sink.h"

namespace {

using namespace quintet;
using kv::CacheContent;

struct Reading {
  kv::CacheFile file;
  CacheContent content;
};

Result<Reading> read(Bytes bytes, const std::optional<kv::CacheTarget>& target, bool length_known, size_t piece) {
  kv::KvCacheSink reader(target);
  ByteStream in(length_known ? std::optional<uint64_t>(bytes.size()) : std::nullopt);
  Parse<void> parse = kv::read_cache(in, reader);
  parse.start();
  for (Bytes rest = bytes; !parse.done() && !rest.empty();) {
    const Bytes front = rest.first(std::min(piece, rest.size()));
    in.feed(std::vector<std::byte>(front.begin(), front.end()));
    rest = rest.subspan(front.size());
  }
  if (!parse.done()) in.end();
  if (!parse.done()) std::abort();
  QUINTET_CHECK(parse.take());
  return Reading{.file = reader.file(), .content = reader.take()};
}

// All numbers, as bytes; 0xFF for rows that a window gave back.
std::vector<std::byte> numbers_of(const CacheContent& content) {
  const decoder::KvCache::Shape& shape = content.cache.shape();
  std::vector<std::byte> numbers;
  const auto add = [&numbers](Bytes bytes) { numbers.insert(numbers.end(), bytes.begin(), bytes.end()); };
  for (const auto& checkpoint : content.cache.checkpoints().all()) {
    for (size_t layer = 0; layer < shape.state.layers; ++layer) {
      add(std::as_bytes(checkpoint.state->inputs(layer)));
      add(std::as_bytes(checkpoint.state->values(layer)));
    }
  }
  for (size_t layer = 0; layer < shape.layers; ++layer) {
    if (!shape.has_rows(layer)) continue;
    for (size_t head = 0; head < shape.kv_heads_of(layer); ++head) {
      for (size_t position = 0; position < content.cache.length(); ++position) {
        for (const auto part : {decoder::KvCache::Part::key, decoder::KvCache::Part::value}) {
          const std::vector<std::byte> gone(shape.row_of(layer, part).bytes, std::byte{0xFF});
          const std::byte* row = content.cache.row(layer, head, part, position);
          add(row == nullptr ? Bytes(gone) : Bytes(row, gone.size()));
        }
      }
    }
  }
  if (content.tokens) add(std::as_bytes(std::span(*content.tokens)));
  add(std::as_bytes(std::span(content.logits)));
  return numbers;
}

void check_same(const Result<Reading>& a, const Result<Reading>& b) {
  if (a.has_value() != b.has_value()) std::abort();
  if (a) {
    if (numbers_of(a->content) != numbers_of(b->content)) std::abort();
    if (write_json(a->content.metadata) != write_json(b->content.metadata)) std::abort();
    return;
  }
  const Error &one = a.error(), &other = b.error();
  if (one.code != other.code || one.reason != other.reason || one.detail != other.detail) std::abort();
  if (one.offset != other.offset || one.tensor != other.tensor) std::abort();
  if (one.format.empty() || (one.code == Code::format && !one.offset)) std::abort();
}

std::optional<std::vector<std::byte>> written(const CacheContent& content, const kv::Storage& storage, size_t piece) {
  auto writer = kv::CacheWriter::create(
      {.cache = content.cache.fork(), .tokens = content.tokens, .logits = content.logits, .metadata = content.metadata},
      storage);
  if (!writer) std::abort();
  std::vector<std::byte> file, out(piece);
  for (;;) {
    const auto count = writer->write(out);
    if (!count) return std::nullopt;  // a value is too large for the type
    if (*count == 0) break;
    file.insert(file.end(), out.begin(), out.begin() + static_cast<std::ptrdiff_t>(*count));
  }
  if (file.size() != writer->bytes()) std::abort();
  return file;
}

void check_rewriting(const CacheContent& content, const kv::Storage& storage) {
  const auto file = written(content, storage, 1000);
  if (file != written(content, storage, 77)) std::abort();
  if (!file) return;
  const auto again = read(*file, std::nullopt, true, SIZE_MAX);
  if (!again) std::abort();
  if (again->file.layers_with_rows() != 0 &&
      (again->file.storage.layout != storage.layout || again->file.storage.dtype != storage.dtype))
    std::abort();
  if (storage.layout != kv::Layout::plain) return;
  const decoder::KvCache::Shape& shape = content.cache.shape();
  const bool is_exact = storage.dtype == Dtype::f32 && shape.row.type == KvType::f32 && shape.window == 0;
  if (is_exact && numbers_of(content) != numbers_of(again->content)) std::abort();
  if (written(again->content, storage, 4096) != file) std::abort();
}

void check_all_storages(const CacheContent& content) {
  const size_t head_dim = content.cache.shape().common_head_dim();
  const auto group = kv::group_for(head_dim, std::nullopt);
  for (const Dtype dtype : {Dtype::f32, Dtype::f16, Dtype::bf16}) {
    check_rewriting(content, {.dtype = dtype});
    if (head_dim == 0 || !group) continue;
    check_rewriting(content, {.dtype = dtype, .layout = kv::Layout::rounded, .group = *group});
    check_rewriting(content, {.dtype = dtype, .layout = kv::Layout::packed, .group = *group});
  }
}

// Layers whose heads differ from the first are those with a window.
Status add_local_heads(const kv::CacheFile& file, KvType type, kv::CacheTarget& target) {
  if (file.local_layers.empty()) return {};
  QUINTET_TRY(target.shape.local_row, kv_row_layout(type, static_cast<size_t>(file.local.dim)));
  target.shape.local_kv_heads = static_cast<size_t>(file.local.count);
  target.shape.local_layers = file.local_layers;
  target.shape.window = 5;
  for (uint64_t layer = 0; layer < file.shape.layers; ++layer) {
    target.shape.full_attention_layers.push_back(!file.is_local(layer));
  }
  target.config.local_kv_heads = file.local.count;
  target.config.local_head_dim = file.local.dim;
  target.config.sliding_window = 5;
  target.config.full_attention_layers = target.shape.full_attention_layers;
  return {};
}

// A model of the file's shape; the choice decides the type of its rows, its window and its context.
std::optional<kv::CacheTarget> target_of(const Reading& reading, unsigned choice) {
  const kv::Shape& shape = reading.file.shape;
  const auto type = static_cast<KvType>(choice % 4);
  const auto row = kv_row_layout(type, static_cast<size_t>(shape.head_dim));
  if (!row) return std::nullopt;
  kv::CacheTarget target;
  target.config.n_vocab = 64;
  target.config.n_layers = shape.layers;
  target.config.n_kv_heads = shape.kv_heads;
  target.config.head_dim = shape.head_dim;
  target.shape = {.layers = static_cast<size_t>(shape.layers),
                  .kv_heads = static_cast<size_t>(shape.kv_heads),
                  .row = *row,
                  .window = choice / 4 % 2 * 5};
  const decoder::KvCache::Shape& of_file = reading.content.cache.shape();
  target.shape.recurrent_layers = of_file.recurrent_layers;
  target.shape.layers_without_rows = of_file.layers_without_rows;
  target.shape.state = of_file.state;
  target.max_positions = choice / 8 % 2 == 0 ? shape.positions : 6;
  return add_local_heads(reading.file, type, target) ? std::optional(target) : std::nullopt;
}

}  // namespace

// The first byte chooses the model.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const Bytes file = std::as_bytes(std::span(data, size)).subspan(1);
  const auto whole = read(file, std::nullopt, true, SIZE_MAX);
  check_same(whole, read(file, std::nullopt, true, 1));
  check_same(whole, read(file, std::nullopt, true, 37));
  if (!whole) return 0;
  check_all_storages(whole->content);
  const auto target = target_of(*whole, data[0]);
  if (!target) return 0;
  const auto fitted = read(file, target, true, SIZE_MAX);
  check_same(fitted, read(file, target, true, 3));
  check_same(fitted, read(file, target, false, 101));
  if (fitted) check_all_storages(fitted->content);
  return 0;
}
