#pragma once
// The .weights file that a conversion writes.

#include <memory>
#include <string>
#include <vector>

#include "formats/weights/writer.h"
#include "runtime/convert/tensor_output.h"

namespace quintet {

struct ConvertProgress {
  std::string tensor;  // that is being written
  size_t done = 0;     // tensors that were begun before it
  size_t total = 0;    // 0 until it is known
};

// Takes converted tensors. Once begun, their bytes are ready at once; before, as long as the source has not told what the
// file's head must say, they are kept.
class WeightsOutput final : public TensorOutput {
 public:
  // The file's head. The tensors that were kept, if any, are the first of the description's.
  Status begin(ModelDescription description);
  Status begin_tensor(const TensorInfo& info) override;
  Status write(Bytes data) override;
  Status finish();

  // The tensors that are kept.
  std::vector<TensorInfo> kept() const;
  // Bytes of the file that are ready.
  std::vector<std::byte> take() { return std::exchange(ready_, {}); }
  const ConvertProgress& progress() const { return progress_; }

 private:
  struct Kept {
    TensorInfo info;
    std::vector<std::byte> data;
  };

  std::unique_ptr<ModelWriter> writer_;
  std::vector<Kept> kept_;
  std::vector<std::byte> ready_;
  ConvertProgress progress_;
  size_t begun_ = 0;
};

}  // namespace quintet
