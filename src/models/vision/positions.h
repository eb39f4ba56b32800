#pragma once
// Positions of a vision transformer for pictures of another size than it was trained with.

#include <cstddef>
#include <span>

#include "architectures/vision/graph.h"
#include "base/aligned_buffer.h"
#include "base/result.h"

namespace quintet::vision {

// Resizes a square grid of positions, [side * side][channels], to [height * width][channels] by bicubic interpolation,
// as PyTorch's interpolate does without aligned corners; antialiased, it averages where the grid shrinks.
Result<AlignedBuffer<float>> resize_positions(std::span<const float> grid, size_t side, size_t height, size_t width,
                                              size_t channels, Resizing resizing);

// The angles by which the heads of DINOv3 turn at each patch of a grid: [height * width][cosines, sines][head_dim / 2].
// The first half of the angles is 2 pi times the row, from -1 to 1, over wavelengths from 1 to `theta`; the second half
// is of the column.
Result<AlignedBuffer<float>> grid_angles(size_t height, size_t width, size_t head_dim, double theta);

}  // namespace quintet::vision
