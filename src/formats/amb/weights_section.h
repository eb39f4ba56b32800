#pragma once
// Reads the weights section of an AMB file: one tensor record after another (docs/formats/amb.md).

#include <cstdint>
#include <string>
#include <vector>

#include "base/task.h"
#include "formats/amb/checked_input.h"
#include "formats/amb/tensor_record.h"
#include "formats/model_sink.h"

namespace quintet::amb {

class WeightsSection {
 public:
  // The section starts here. `size_in_doubt`: the sizes in the header do not add up to that of the file, so a record
  // that exceeds the section means that the section's size is wrong.
  WeightsSection(CheckedInput& in, ModelSink& sink, uint64_t size, bool size_in_doubt)
      : in_(in), sink_(sink), end_(in.offset() + size), size_in_doubt_(size_in_doubt) {}

  // Reads all records. This object must outlive the parse.
  Parse<std::vector<TensorInfo>> read();

 private:
  Parse<void> read_record();
  Parse<std::string> read_name();
  Parse<RecordFields> look_at_fields();
  Parse<TensorInfo> read_info();
  Parse<void> check_data_size(RecordFields& record, TensorInfo& info);
  Parse<void> check_mask(RecordFields& record, const TensorInfo& info);
  // Reads further as far as it helps to find the wrong field.
  Parse<void> look_further(RecordFields& record);
  Parse<void> read_payload(const TensorInfo& info);
  Parse<void> read_padding();
  Status check_unique() const;

  uint64_t room() const { return end_ - in_.offset(); }
  // The next n bytes, announced by the field at `field`, must be inside the section.
  Status check_room(uint64_t n, uint64_t field) const;

  CheckedInput& in_;
  ModelSink& sink_;
  uint64_t end_;
  bool size_in_doubt_;
  std::vector<TensorInfo> tensors_;
};

}  // namespace quintet::amb
