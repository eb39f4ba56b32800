#pragma once
// The layers of a network as tinyRuntime files list them, and the static quantization of its activations.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quintet {

enum class NetworkKind : uint8_t { vanilla, dq8, sq8 };
// "vanilla", "dq8", "sq8".
std::string_view name_of(NetworkKind kind);
// The kind with this name; nothing for an empty or unknown name.
std::optional<NetworkKind> network_kind_named(std::string_view name);

// uint8 = clamp(round(x / scale) + zero_point, 0, 255)
struct ActivationQuantization {
  float scale = 0;
  int32_t zero_point = 0;
};

struct ConvShape {
  uint32_t kernel = 0, stride = 0, padding = 0;
  bool operator==(const ConvShape&) const = default;
};

struct ConvLayer {
  uint32_t kernel = 0, stride = 0, padding = 0, in_channels = 0, out_channels = 0;
  bool bias = false;
  ActivationQuantization output;  // sq8
};

struct LinearLayer {
  uint32_t in_features = 0, out_features = 0;
  bool bias = false;
  ActivationQuantization output;  // sq8
};

struct LayerTable {
  NetworkKind kind = NetworkKind::vanilla;
  uint32_t classes = 0;
  bool asymmetric = false;  // dq8, sq8
  std::vector<ConvLayer> convs;
  std::vector<LinearLayer> linears;
  std::vector<uint32_t> batch_norms;                // channels of each
  std::vector<ActivationQuantization> activations;  // sq8
};

// Maximum number of channels, features and classes of a layer: far more than in any network, and the product of two
// with a 7x7 kernel fits 64 bits.
inline constexpr uint32_t kMaxChannels = 1U << 20;

// One number of a table, so that a reader can find its position in the file.
struct LayerField {
  enum class Part : uint8_t { table, conv, linear, batch_norm, activation };
  enum class Name : uint8_t {
    classes,
    convolutions,
    linears,
    batch_norms,
    activations,  // of the table
    kernel,
    stride,
    padding,
    in,
    out,
    output_scale,
    output_zero_point,  // of a layer; the size of a batch norm is `in`
  };
  Part part = Part::table;
  uint32_t index = 0;
  Name name = Name::classes;
};

// A number of a table that contradicts another.
struct LayerFault {
  LayerField field;
  std::optional<LayerField> against = {};  // the other number, if either may be wrong
  std::string detail;
};

}  // namespace quintet
