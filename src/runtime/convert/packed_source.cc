#include "runtime/convert/packed_source.h"

#include <algorithm>
#include <map>
#include <string>

#include "architectures/decoder/packed_weights.h"
#include "architectures/decoder/quantization_config.h"

namespace quintet {

Status join_packed_weights(SourceModel& source) {
  QUINTET_TRY(const auto packing, decoder::read_weight_packing(source.description.config));
  if (!packing || !source.decoder_config || !*source.decoder_config) return {};
  decoder::PackedWeights weights(*packing, **source.decoder_config, decoder::TensorNames(source.description));
  std::map<std::string, PackedParts> parts;
  std::vector<SourceTensor> joined;
  for (SourceTensor& tensor : source.tensors) {
    const auto part = weights.find(tensor.info);
    if (!part) {
      joined.push_back(std::move(tensor));
      continue;
    }
    QUINTET_TRY(const auto matrix, weights.announce(*part, tensor.info));
    if (matrix) joined.push_back({.info = *matrix, .file = tensor.file});
    parts.try_emplace(*part->weight, PackedParts{.packing = *packing, .parts = {}})
        .first->second.parts.push_back({.info = std::move(tensor.info), .file = tensor.file, .part = part->part});
  }
  QUINTET_CHECK(weights.check_whole());
  for (SourceTensor& tensor : joined) {
    if (const auto found = parts.find(tensor.info.name); found != parts.end()) tensor.packed = std::move(found->second);
  }
  source.tensors = std::move(joined);
  return {};
}

Result<PackedSourceReader> PackedSourceReader::create(const SourceTensor& tensor) {
  PackedSourceReader reader(*tensor.packed);
  for (const PackedParts::Part& part : reader.parts_.parts)
    QUINTET_CHECK(reader.weight_.announce(part.part, part.info));
  QUINTET_CHECK(reader.weight_.describe(tensor.info.name, tensor.info.shape));
  return reader;
}

Status PackedSourceReader::add(Bytes bytes) {
  while (!bytes.empty()) {
    const PackedParts::Part& part = parts_.parts[part_];
    const Bytes piece = bytes.first(static_cast<size_t>(std::min<uint64_t>(bytes.size(), part.info.bytes - added_)));
    QUINTET_CHECK(weight_.add(part.part, piece));
    bytes = bytes.subspan(piece.size());
    added_ += piece.size();
    if (added_ != part.info.bytes) return {};
    QUINTET_CHECK(weight_.end(part.part));
    added_ = 0;
    ++part_;
  }
  return {};
}

}  // namespace quintet
