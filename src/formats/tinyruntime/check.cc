#include "formats/tinyruntime/check.h"

#include <utility>

namespace quintet::tinyruntime {
namespace {

using Part = LayerField::Part;
using Name = LayerField::Name;
using Checked = std::expected<void, LayerFault>;

std::unexpected<LayerFault> fault(LayerField field, std::string detail, std::optional<LayerField> against = {}) {
  return std::unexpected(LayerFault{field, against, std::move(detail)});
}

std::string text(Part part, uint32_t index) {
  const char* layer = part == Part::conv ? "convolution " : part == Part::linear ? "linear layer " : "batch norm ";
  return formatted("{}{}", layer, index);
}

class Checker {
 public:
  Checker(const LayerTable& table, const Network& graph) : table_(table), graph_(graph) {}

  Checked check() const {
    QUINTET_CHECK(shapes());
    QUINTET_CHECK(sizes());
    QUINTET_CHECK(stem());
    for (size_t i = 0; i < graph_.blocks.size(); ++i) {
      QUINTET_CHECK(block(i));
    }
    QUINTET_CHECK(tail());
    return static_quantization();
  }

 private:
  Checked shapes() const {
    const std::vector<ConvShape> expected = conv_shapes(graph_);
    for (uint32_t i = 0; i < expected.size(); ++i) {
      const ConvLayer& conv = table_.convs[i];
      QUINTET_CHECK(equal({Part::conv, i, Name::kernel}, "kernel", conv.kernel, expected[i].kernel));
      QUINTET_CHECK(equal({Part::conv, i, Name::stride}, "stride", conv.stride, expected[i].stride));
      QUINTET_CHECK(equal({Part::conv, i, Name::padding}, "padding", conv.padding, expected[i].padding));
    }
    return {};
  }

  Checked equal(LayerField field, const char* what, uint32_t found, uint32_t expected) const {
    if (found == expected) return {};
    return fault(field, formatted("{} of {} has {} {}, found {}", text(field.part, field.index), graph_.architecture,
                                  what, expected, found));
  }

  Checked sizes() const {
    QUINTET_CHECK(size({Part::table, 0, Name::classes}, table_.classes));
    for (uint32_t i = 0; i < table_.convs.size(); ++i) {
      QUINTET_CHECK(size({Part::conv, i, Name::in}, table_.convs[i].in_channels));
      QUINTET_CHECK(size({Part::conv, i, Name::out}, table_.convs[i].out_channels));
    }
    for (uint32_t i = 0; i < table_.linears.size(); ++i) {
      QUINTET_CHECK(size({Part::linear, i, Name::in}, table_.linears[i].in_features));
      QUINTET_CHECK(size({Part::linear, i, Name::out}, table_.linears[i].out_features));
    }
    return {};
  }

  static Checked size(LayerField field, uint32_t n) {
    if (n != 0 && n <= kMaxChannels) return {};
    return fault(field, formatted("{} channels, features or classes, expected 1 to {}", n, kMaxChannels));
  }

  Checked stem() const {
    if (table_.convs[0].in_channels == 3) return {};
    return fault({Part::conv, 0, Name::in},
                 formatted("an image has 3 channels, but the first convolution takes {}", table_.convs[0].in_channels));
  }

  // The convolution that determines the number of input channels of a block.
  uint32_t producer(size_t block) const { return block == 0 ? 0 : graph_.blocks[block - 1].last_conv(); }

  Checked block(size_t i) const {
    const Block& block = graph_.blocks[i];
    uint32_t before = producer(i);
    for (uint32_t conv = block.first_conv; conv <= block.last_conv(); before = conv++) {
      QUINTET_CHECK(follows(conv, before));
    }
    if (!block.downsample) return identity(block, producer(i));
    QUINTET_CHECK(follows(block.downsample_conv(), producer(i)));
    const uint32_t down = block.downsample_conv(), last = block.last_conv();
    return chain({Part::conv, down, Name::out}, table_.convs[down].out_channels, {Part::conv, last, Name::out},
                 table_.convs[last].out_channels);
  }

  Checked follows(uint32_t conv, uint32_t before) const {
    return chain({Part::conv, conv, Name::in}, table_.convs[conv].in_channels, {Part::conv, before, Name::out},
                 table_.convs[before].out_channels);
  }

  // A shortcut without parameters keeps the number of channels or, in CIFAR networks, adds equally many before and
  // after.
  Checked identity(const Block& block, uint32_t before) const {
    const LayerField out = {Part::conv, block.last_conv(), Name::out};
    const uint32_t channels = table_.convs[block.last_conv()].out_channels, had = table_.convs[before].out_channels;
    if (block.stride == 1) return chain(out, channels, {Part::conv, before, Name::out}, had);
    if (channels >= had && (channels - had) % 2 == 0) return {};
    return fault(out, formatted("a shortcut cannot turn {} channels into {}", had, channels),
                 LayerField{Part::conv, before, Name::out});
  }

  static Checked chain(LayerField field, uint32_t found, LayerField source, uint32_t expected) {
    if (found == expected) return {};
    return fault(field,
                 formatted("{} has {} channels or features, but {} gives {}", text(field.part, field.index), found,
                           text(source.part, source.index), expected),
                 source);
  }

  Checked tail() const {
    const uint32_t last = graph_.blocks.back().last_conv();
    const bool concat = graph_.tail == Tail::concat;
    const LayerField pooled = {Part::conv, last, Name::out};
    const uint32_t features = table_.convs[last].out_channels * (concat ? 2 : 1);
    QUINTET_CHECK(chain({Part::linear, 0, Name::in}, table_.linears[0].in_features, pooled, features));
    if (concat) {
      const uint32_t hidden = table_.linears[0].out_features;
      const LayerField source = {Part::linear, 0, Name::out};
      QUINTET_CHECK(chain({Part::batch_norm, 0, Name::in}, table_.batch_norms[0], pooled, features));
      QUINTET_CHECK(chain({Part::linear, 1, Name::in}, table_.linears[1].in_features, source, hidden));
      QUINTET_CHECK(chain({Part::batch_norm, 1, Name::in}, table_.batch_norms[1], source, hidden));
    }
    const uint32_t given = table_.linears.back().out_features;
    if (given == table_.classes) return {};
    return fault({Part::table, 0, Name::classes},
                 formatted("{} classes, but the last linear layer gives {}", table_.classes, given),
                 LayerField{Part::linear, static_cast<uint32_t>(table_.linears.size() - 1), Name::out});
  }

  Checked static_quantization() const {
    if (table_.kind != NetworkKind::sq8) return {};
    for (uint32_t i = 0; i < table_.convs.size(); ++i) {
      QUINTET_CHECK(activation({Part::conv, i, Name::output_zero_point}, table_.convs[i].output));
    }
    for (uint32_t i = 0; i < table_.linears.size(); ++i) {
      QUINTET_CHECK(activation({Part::linear, i, Name::output_zero_point}, table_.linears[i].output));
    }
    if (table_.activations.size() < graph_.min_activations()) {
      return fault({Part::table, 0, Name::activations},
                   formatted("{} activations, {} takes at least {}", table_.activations.size(), graph_.architecture,
                             graph_.min_activations()));
    }
    for (uint32_t i = 0; i < table_.activations.size(); ++i) {
      QUINTET_CHECK(activation({Part::activation, i, Name::output_zero_point}, table_.activations[i]));
    }
    return {};
  }

  // Activations are unsigned bytes.
  static Checked activation(LayerField field, const ActivationQuantization& quantization) {
    if (quantization.zero_point >= 0 && quantization.zero_point <= 255) return {};
    return fault(field, formatted("a zero point of {}, expected 0 to 255", quantization.zero_point));
  }

  const LayerTable& table_;
  const Network& graph_;
};

}  // namespace

std::expected<Network, LayerFault> network_of_counts(uint32_t convs, uint32_t linears, uint32_t batch_norms) {
  const std::optional<Tail> tail = tail_of(linears, batch_norms);
  if (!tail) {
    const bool norms_differ = linears == 2 || (linears == 1 && batch_norms != 2);
    return fault({Part::table, 0, norms_differ ? Name::batch_norms : Name::linears},
                 formatted("{} linear layers and {} batch norms, expected 2 and 2, or 1 and 0", linears, batch_norms));
  }
  std::optional<Network> graph = network_of(convs, *tail);
  if (graph) return *std::move(graph);
  return fault({Part::table, 0, Name::convolutions}, formatted("{} convolutions with the {} tail; supported are {}",
                                                               convs, name_of(*tail), supported_networks()));
}

std::expected<Network, LayerFault> recognise_network(const LayerTable& table) {
  auto graph = network_of_counts(static_cast<uint32_t>(table.convs.size()), static_cast<uint32_t>(table.linears.size()),
                                 static_cast<uint32_t>(table.batch_norms.size()));
  if (graph) QUINTET_CHECK(Checker(table, *graph).check());
  return graph;
}

Result<Network> checked_network(const LayerTable& table) {
  auto graph = recognise_network(table);
  if (!graph) return input_error(Reason::mismatch, "not a ResNet: {}", graph.error().detail);
  return *std::move(graph);
}

}  // namespace quintet::tinyruntime
