#include "formats/alt/tensor_types.h"

namespace quintet::alt {
namespace {

enum : int32_t { kFloat32, kFloat16, kQint8, kQint4 };

}  // namespace

bool set_data_type(int32_t number, TensorInfo& info) {
  switch (number) {
    case kFloat32:
      info.dtype = Dtype::f32;
      return true;
    case kFloat16:
      info.dtype = Dtype::f16;
      return true;
    case kQint8:
      info.quantization.scheme = Scheme::qint8;
      return true;
    case kQint4:
      info.quantization.scheme = Scheme::qint4;
      return true;
    default:
      return false;
  }
}

bool set_packing(int8_t flag, TensorInfo& info) {
  if (flag == 0) return true;
  if (flag != 1 || info.quantization.scheme != Scheme::qint4) return false;
  info.quantization.scheme = Scheme::qint4_packed;
  return true;
}

std::optional<int32_t> data_type(const TensorInfo& info) {
  switch (info.quantization.scheme) {
    case Scheme::none:
      if (info.dtype == Dtype::f32) return kFloat32;
      if (info.dtype == Dtype::f16) return kFloat16;
      return std::nullopt;
    case Scheme::qint8:
      return kQint8;
    case Scheme::qint4:
    case Scheme::qint4_packed:
      return kQint4;
    default:
      return std::nullopt;
  }
}

}  // namespace quintet::alt
