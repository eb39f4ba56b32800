#pragma once
// Weights of a dq8 file on their way into a network: payloads of Scheme::group_int8 (tensor/codecs/tinyruntime.h). A
// zero point that the kernels cannot take is an error of the file.

#include <memory>

#include "base/aligned_buffer.h"
#include "formats/model_sink.h"
#include "tensor/packed/paired_matrix.h"

namespace quintet::resnet {

// Weights [out][...]: rows of whole groups, which become the segments of `matrix`. It outlives the sink, and takes no
// memory before the values arrive. `certain`: as in ModelSink::tensor.
std::unique_ptr<TensorSink> grouped_weight_sink(const TensorInfo& info, bool certain, PairedMatrix& matrix);

}  // namespace quintet::resnet
