#pragma once
// Sinks that models are read into: kept as they are, packed for the kernels, or decoded to float32. Each sink
// checks afterwards, outside of the measured time, that it got what the file was made of.

#include <memory>
#include <vector>

#include "base/aligned_buffer.h"
#include "bench/native/formats/model_file.h"
#include "formats/model_sink.h"
#include "tensor/packed/packed_matrix.h"

namespace quintet::bench {

class CheckedSink : public ModelSink {
 public:
  Status begin(const ModelDescription&) override { return {}; }
  Status end(ModelDescription) override { return {}; }
  virtual bool is_right(const ModelFile& file, const SeededValues& values) const = 0;
};

// Payloads in memory, byte for byte.
class KeepingSink final : public CheckedSink {
 public:
  Result<std::unique_ptr<ByteSink>> tensor(const TensorArrival& tensor) override;
  bool is_right(const ModelFile& file, const SeededValues& values) const override;

 private:
  std::vector<std::unique_ptr<AlignedBuffer<std::byte>>> payloads_;
};

// Matrices of plain types in the kernels' form, with the sinks of the models' own loaders; the rest as float32.
class PackingSink final : public CheckedSink {
 public:
  Result<std::unique_ptr<ByteSink>> tensor(const TensorArrival& tensor) override;
  bool is_right(const ModelFile& file, const SeededValues& values) const override;

 private:
  struct Loaded {
    PackedMatrix matrix;          // of tensors with two dimensions or more
    AlignedBuffer<float> vector;  // of the others
  };
  std::vector<std::unique_ptr<Loaded>> loaded_;
};

// Every value as float32, which is looked at piece by piece and let go.
class DecodingSink final : public CheckedSink {
 public:
  // With `values`, each is compared as it comes, which takes longer than decoding.
  explicit DecodingSink(const SeededValues* values = nullptr) : values_(values) {}

  Result<std::unique_ptr<ByteSink>> tensor(const TensorArrival& tensor) override;
  bool is_right(const ModelFile& file, const SeededValues& values) const override;

 private:
  class Values;

  const SeededValues* values_;
  size_t announced_ = 0;
  uint64_t decoded_ = 0;
  double squares_ = 0;  // of the differences to the seeded values
};

}  // namespace quintet::bench
