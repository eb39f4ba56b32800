#include "base/hash.h"
#include "bench/native/formats/sinks.h"

namespace quintet::bench {
namespace {

class Payload final : public ByteSink {
 public:
  explicit Payload(AlignedBuffer<std::byte>& out) : out_(out) {}
  Status write(Bytes bytes) override {
    const size_t begin = out_.size();
    QUINTET_CHECK(out_.resize_uninitialized(begin + bytes.size()));
    std::memcpy(out_.data() + begin, bytes.data(), bytes.size());
    return {};
  }
  Status finish() override { return {}; }

 private:
  AlignedBuffer<std::byte>& out_;
};

}  // namespace

Result<std::unique_ptr<ByteSink>> KeepingSink::tensor(const TensorArrival& tensor) {
  payloads_.push_back(std::make_unique<AlignedBuffer<std::byte>>());
  QUINTET_CHECK(payloads_.back()->reserve(tensor.info.payload_bytes()));
  return std::make_unique<Payload>(*payloads_.back());
}

bool KeepingSink::is_right(const ModelFile& file, const SeededValues&) const {
  bool right = payloads_.size() == file.payload_crcs.size();
  for (size_t i = 0; right && i < payloads_.size(); ++i) {
    right = crc32(Bytes(payloads_[i]->span())) == file.payload_crcs[i];
  }
  return right;
}

}  // namespace quintet::bench
