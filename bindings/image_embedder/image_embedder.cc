// ImageEmbedderLoader and ImageEmbedder: load the files of a model chunk by chunk, and map pictures and texts to
// vectors step by step.

#include <emscripten/bind.h>

#include <memory>
#include <string>
#include <vector>

#include "bindings/folder_loading.h"
#include "bindings/outcome.h"
#include "bindings/picture_calls.h"
#include "formats/detect.h"
#include "runtime/image_embedding/image_embedder_loader.h"
#include "runtime/inspect/describe.h"

namespace quintet::js {
namespace {

vision::TowerChoice tower_choice_named(const std::string& name) {
  if (name == "image") return vision::TowerChoice::image;
  return name == "text" ? vision::TowerChoice::text : vision::TowerChoice::both;
}

class Embedder : public PictureCalls<ImageEmbedder> {
 public:
  using PictureCalls::PictureCalls;

  std::string info() const { return write_json(describe(model())); }
  // { dimension, towers, inputSize, maxTokens, scale, bias, pairwise }: sizes are 0 for a missing tower.
  std::string usage() const;

  val begin_picture(double width, double height, double channels) {
    return begin_pixels(width, height, channels,
                        [](ImageEmbedder& embedder, const Pixels& picture) { return embedder.begin(picture); });
  }
  val begin_input(double channels, double height, double width) {
    return begin_values(channels, height, width,
                        [](ImageEmbedder& embedder, const auto&... input) { return embedder.begin(input...); });
  }
  val begin_text(const std::string& text) { return ended(model().begin_text(text)); }
  val begin_ids(const val& ids) {
    return ended(model().begin_ids(emscripten::convertJSArrayToNumberVector<uint32_t>(ids)));
  }
  val tokenize(const std::string& text) {
    const auto ids = model().tokenize(text);
    return ids ? success(int32_array(*ids)) : failure(ids.error());
  }
};

std::string Embedder::usage() const {
  Json towers = Json::array();
  if (model().has_images()) towers.push_back("image");
  if (model().has_texts()) towers.push_back("text");
  const SimilarityRule& similarity = model().similarity();
  Json json = Json::object();
  json.append("dimension", unsigned{model().dimension()});
  json.append("towers", std::move(towers));
  json.append("inputSize", unsigned{model().input_size()});
  json.append("maxTokens", unsigned{model().max_tokens()});
  json.append("scale", double{similarity.scale});
  json.append("bias", double{similarity.bias});
  json.append("pairwise", similarity.is_pairwise);
  return write_json(json);
}

class LoadingEmbedder : public FolderLoading<ImageEmbedderLoader> {
 public:
  // `towers`: "image", "text" or "both".
  LoadingEmbedder(const std::string& format, const std::string& towers, bool to_int8)
      : FolderLoading(ImageEmbedderOptions{
            .format = format_named(format), .towers = tower_choice_named(towers), .to_int8 = to_int8}) {}

  // The value is a handle that JavaScript must delete().
  val finish() {
    auto embedder = ended().finish();
    if (!embedder) return failure(embedder.error());
    return success(val(std::make_shared<Embedder>(*std::move(embedder))));
  }
};

}  // namespace

EMSCRIPTEN_BINDINGS(image_embedder) {
  using namespace emscripten;
  using Loading = FolderLoading<ImageEmbedderLoader>;
  class_<Loading>("FolderLoader")
      .function("beginFile", &Loading::begin_file)
      .function("window", &Loading::window)
      .function("feed", &Loading::feed)
      .function("endFile", &Loading::end_file);
  class_<LoadingEmbedder, base<Loading>>("ImageEmbedderLoader")
      .constructor<const std::string&, const std::string&, bool>()
      .function("finish", &LoadingEmbedder::finish);
  bind_picture_calls<ImageEmbedder>();
  class_<Embedder, base<PictureCalls<ImageEmbedder>>>("ImageEmbedder")
      .smart_ptr<std::shared_ptr<Embedder>>("ImageEmbedderPointer")
      .function("info", &Embedder::info)
      .function("usage", &Embedder::usage)
      .function("beginPicture", &Embedder::begin_picture)
      .function("beginInput", &Embedder::begin_input)
      .function("beginText", &Embedder::begin_text)
      .function("beginIds", &Embedder::begin_ids)
      .function("tokenize", &Embedder::tokenize);
}

}  // namespace quintet::js
