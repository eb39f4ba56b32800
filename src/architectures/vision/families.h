#pragma once
// The families of image networks: from the configuration and the tensors of a model to its graph.

#include <string_view>
#include <vector>

#include "architectures/vision/graph.h"
#include "architectures/vision/graph_builder.h"
#include "base/json.h"
#include "base/result.h"
#include "formats/model_description.h"

namespace quintet::vision {

// `config`: config.json of Hugging Face or of timm; null for a file alone, which must have torchvision's names.
// UNSUPPORTED for other networks, and for tensors that belong to none.
Result<Graph> read_graph(const Json& config, const std::vector<TensorInfo>& tensors);

// A family's facts about its model.
struct FamilySource {
  const Json& config;             // of Hugging Face, or `model_args` of timm
  std::string_view architecture;  // timm's, without "tf_"
  bool is_tensorflow = false;     // timm's weights from TensorFlow, which pad as it does
};

// Each adds the nodes of its network and returns the vector before the classifier.
using AddFamily = NodeId(GraphBuilder& b, const FamilySource& source);

// Howard et al. 2017, arXiv:1704.04861; Sandler et al. 2018, arXiv:1801.04381; Tan and Le 2019, arXiv:1905.11946, as
// transformers has them.
AddFamily add_mobilenet_v1, add_mobilenet_v2, add_efficientnet;
// MobileNets and EfficientNets as timm and as torchvision have them.
AddFamily add_timm_blocks, add_torchvision_blocks;
// He et al. 2015, arXiv:1512.03385, and its kin; Radosavovic et al. 2020, arXiv:2003.13678.
AddFamily add_resnet, add_timm_resnet, add_regnet, add_timm_regnet;
// Liu et al. 2022, arXiv:2201.03545; Woo et al. 2023, arXiv:2301.00808.
AddFamily add_convnext, add_timm_convnext;
// Dosovitskiy et al. 2020, arXiv:2010.11929; Touvron et al. 2020, arXiv:2012.12877; Oquab et al. 2023,
// arXiv:2304.07193.
AddFamily add_vit, add_deit, add_dinov2, add_timm_vit;
// Siméoni et al. 2025, arXiv:2508.10104.
AddFamily add_dinov3;
// Liu et al. 2021, arXiv:2103.14030.
AddFamily add_swin, add_timm_swin;

// The network of timm that `source` names, in front of a projection of open_clip (TimmModel in timm_model.py).
AddFamily add_timm_tower;

// A number of the configuration from 1 to `max`; `absent` if there is none, and the builder fails for anything else.
uint32_t number_in(GraphBuilder& b, const Json& config, std::string_view key, uint32_t absent, uint32_t max = 1 << 16);
// Likewise an epsilon, above 0 and at most 1.
float epsilon_in(GraphBuilder& b, const Json& config, std::string_view key, float absent);
bool flag_in(GraphBuilder& b, const Json& config, std::string_view key, bool absent);
// A list of numbers.
std::vector<uint32_t> numbers_in(GraphBuilder& b, const Json& config, std::string_view key,
                                 std::vector<uint32_t> absent);
// The name of an activation, as transformers has them.
Activation activation_in(GraphBuilder& b, const Json& config, std::string_view key, Activation absent);

}  // namespace quintet::vision
