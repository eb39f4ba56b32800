#include "formats/model_writer.h"

#include <numeric>

#include "formats/alt/writer.h"
#include "formats/amb/writer.h"
#include "formats/safetensors/writer.h"
#include "formats/tinyruntime/writer.h"
#include "formats/weights/writer.h"

namespace quintet {

std::vector<size_t> ModelWriter::tensor_order(const std::vector<TensorInfo>& tensors) const {
  std::vector<size_t> order(tensors.size());
  std::iota(order.begin(), order.end(), size_t{0});
  return order;
}

std::unique_ptr<ModelWriter> make_writer(Format format) {
  switch (format) {
    case Format::weights:
      return weights::make_writer();
    case Format::safetensors:
      return safetensors::make_writer();
    case Format::amb:
      return amb::make_writer();
    case Format::alt:
      return alt::make_writer();
    case Format::tinyruntime:
      return tinyruntime::make_writer();
    case Format::gguf:
      break;
  }
  return nullptr;
}

}  // namespace quintet
