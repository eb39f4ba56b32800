#include "tests/formats/plain_tinyruntime.h"

#include <cstring>
#include <map>

namespace quintet::test {
namespace {

struct PlainLayer {
  std::string name;
  std::vector<uint64_t> shape;
  bool bias = false;
  size_t weight_group = 0, bias_group = 0;
  float weight_scale = 0, input_scale = 0, output_scale = 0;
  int32_t weight_zero_point = 0;

  size_t weights() const {
    size_t n = 1;
    for (const uint64_t dimension : shape) n *= static_cast<size_t>(dimension);
    return n;
  }
  size_t biases() const { return bias ? static_cast<size_t>(shape[0]) : 0; }
};

const std::map<std::string, std::vector<int>> kBlocks = {
    {"ResNet-18", {2, 2, 2, 2}}, {"ResNet-34", {3, 4, 6, 3}}, {"ResNet-50", {3, 4, 6, 3}}, {"ResNet-20", {3, 3, 3}}};

class PlainReader {
 public:
  PlainReader(const File& file, std::string kind, std::string architecture)
      : file_(file), kind_(std::move(kind)), architecture_(std::move(architecture)) {}

  std::vector<PlainNetworkTensor> read() {
    read_table();
    if (kind_ == "sq8") walk();
    if (kind_ == "vanilla") read_vanilla();
    if (kind_ == "dq8") read_dynamic();
    if (kind_ == "sq8") read_static();
    for (size_t i = 0; i < batch_norms_.size(); ++i) {
      for (const char* array : {"weight", "bias", "running_mean", "running_var"}) {
        add("head.bn" + std::to_string(i + 1) + "." + array, {batch_norms_[i]}, floats(batch_norms_[i]));
      }
    }
    check_end();
    return tensors_;
  }

 private:
  template <class T>
  T next() {
    T value;
    std::memcpy(&value, file_.data() + at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }
  int32_t word() { return next<int32_t>(); }

  void check_end() const {
    if (at_ != file_.size()) std::abort();
  }

  std::vector<std::string> names() const {
    std::vector<std::string> names = {"conv1"};
    const bool bottleneck = architecture_ == "ResNet-50", cifar = architecture_ == "ResNet-20";
    const std::vector<int>& blocks = kBlocks.at(architecture_);
    for (size_t stage = 0; stage < blocks.size(); ++stage) {
      for (int block = 0; block < blocks[stage]; ++block) {
        const std::string prefix = "layer" + std::to_string(stage + 1) + "." + std::to_string(block) + ".";
        names.push_back(prefix + "conv1");
        names.push_back(prefix + "conv2");
        if (bottleneck) names.push_back(prefix + "conv3");
        if (!cifar && block == 0 && (stage > 0 || bottleneck)) names.push_back(prefix + "downsample.0");
      }
    }
    return names;
  }

  void read_table() {
    word();
    const int convs = word(), linears = word(), batch_norms = word();
    const int activations = kind_ == "vanilla" ? 0 : word();
    if (kind_ != "vanilla") word();
    asymmetric_ = kind_ != "vanilla" && word() == 1;
    const std::vector<std::string> conv_names = names();
    for (int i = 0; i < convs; ++i) {
      PlainLayer layer;
      layer.name = conv_names.at(static_cast<size_t>(i));
      const auto kernel = static_cast<uint64_t>(word());
      word();
      word();
      const auto in = static_cast<uint64_t>(word()), out = static_cast<uint64_t>(word());
      layer.shape = {out, in, kernel, kernel};
      read_rest(layer);
    }
    for (int i = 0; i < linears; ++i) {
      PlainLayer layer;
      layer.name = linears == 1 ? "fc" : "head.fc" + std::to_string(i + 1);
      const auto in = static_cast<uint64_t>(word()), out = static_cast<uint64_t>(word());
      layer.shape = {out, in};
      read_rest(layer);
    }
    for (int i = 0; i < batch_norms; ++i) {
      batch_norms_.push_back(static_cast<size_t>(word()));
      word();
    }
    for (int i = 0; i < activations; ++i) {
      activations_.push_back(next<float>());
      word();
    }
  }

  void read_rest(PlainLayer& layer) {
    word();
    if (kind_ == "dq8") {
      word();
      layer.weight_group = static_cast<size_t>(word());
      layer.bias_group = static_cast<size_t>(word());
      layer.bias = layer.bias_group != 0;
    } else if (kind_ == "sq8") {
      layer.weight_scale = next<float>();
      layer.weight_zero_point = word();
      layer.output_scale = next<float>();
      word();
      layer.bias = word() == 1;
    } else {
      layer.bias = word() == 1;
    }
    layers_.push_back(layer);
  }

  // The head uses 0 and starts the counter at 2; a basic block adds 3 (4 with downsampling), a bottleneck 4 (5), and
  // its sum is quantized with the entry at the counter; counter+6 the first linear's input, +9 the second's. With the
  // plain tail the entry at the counter (docs/formats/tinyruntime.md, "Values").
  void walk() {
    layers_[0].input_scale = activations_[0];
    size_t counter = 2;
    float block = layers_[0].output_scale, previous = 0;
    for (size_t i = 1; i < layers_.size(); ++i) {
      PlainLayer& layer = layers_[i];
      if (layer.shape.size() == 2) {
        layer.input_scale = activations_[counter + (layer.name == "fc" ? 0 : layer.name == "head.fc1" ? 6 : 9)];
        continue;
      }
      const bool downsample = layer.name.ends_with("downsample.0");
      layer.input_scale = downsample || layer.name.ends_with("conv1") ? block : previous;
      previous = layer.output_scale;
      counter += 1;
      const std::string& next = layers_[i + 1].name;
      const bool last = next.ends_with("conv1") || layers_[i + 1].shape.size() == 2;
      if (!last) continue;
      counter += 1;
      block = activations_[counter];
    }
  }

  std::vector<float> floats(size_t n) {
    std::vector<float> values(n);
    for (float& value : values) value = next<float>();
    return values;
  }

  void add(std::string name, std::vector<uint64_t> shape, std::vector<float> values) {
    tensors_.push_back({std::move(name), std::move(shape), std::move(values)});
  }

  void read_vanilla() {
    for (const PlainLayer& layer : layers_) {
      add(layer.name + ".weight", layer.shape, floats(layer.weights()));
      if (layer.bias) add(layer.name + ".bias", {layer.shape[0]}, floats(layer.biases()));
    }
  }

  std::vector<float> grouped(size_t n, size_t group, size_t& data) {
    const std::vector<float> scales = floats(n / group);
    std::vector<int32_t> zero_points(n / group, 0);
    for (size_t i = 0; asymmetric_ && i < n / group; ++i) zero_points[i] = word();
    std::vector<float> values;
    for (size_t i = 0; i < n; ++i, ++data) {
      const int q = static_cast<int8_t>(file_[data]);
      values.push_back(static_cast<float>(q - zero_points[i / group]) * scales[i / group]);
    }
    return values;
  }

  void read_dynamic() {
    size_t data = at_;
    for (const PlainLayer& layer : layers_) at_ += layer.weights() + layer.biases();
    for (const PlainLayer& layer : layers_) {
      add(layer.name + ".weight", layer.shape, grouped(layer.weights(), layer.weight_group, data));
      if (layer.bias) add(layer.name + ".bias", {layer.shape[0]}, grouped(layer.biases(), layer.bias_group, data));
    }
  }

  void read_static() {
    for (const PlainLayer& layer : layers_) {
      std::vector<float> weights, biases;
      for (size_t i = 0; i < layer.weights(); ++i) {
        weights.push_back(static_cast<float>(next<int8_t>() - layer.weight_zero_point) * layer.weight_scale);
      }
      const float bias_scale = layer.input_scale * layer.weight_scale;
      for (size_t i = 0; i < layer.biases(); ++i) biases.push_back(static_cast<float>(word()) * bias_scale);
      add(layer.name + ".weight", layer.shape, weights);
      if (layer.bias) add(layer.name + ".bias", {layer.shape[0]}, biases);
    }
  }

  const File& file_;
  std::string kind_, architecture_;
  size_t at_ = 0;
  bool asymmetric_ = false;
  std::vector<PlainLayer> layers_;
  std::vector<size_t> batch_norms_;
  std::vector<float> activations_;
  std::vector<PlainNetworkTensor> tensors_;
};

}  // namespace

std::vector<PlainNetworkTensor> plain_tinyruntime(const File& file, const std::string& kind,
                                                  const std::string& architecture) {
  return PlainReader(file, kind, architecture).read();
}

}  // namespace quintet::test
