// Verifier: compares the values of each tensor before and after a conversion.

#include <emscripten/bind.h>

#include <string>

#include "base/json.h"
#include "bindings/files/conversion_input.h"
#include "runtime/convert/verifier.h"

namespace quintet::js {
namespace {

class VerifierHandle : public ConversionInput<Verifier> {
 public:
  using ConversionInput::ConversionInput;

  val begin_output(double total) {
    const auto bytes = whole_number(total);
    if (!bytes)
      return failure(
          {.code = Code::input, .reason = Reason::out_of_range, .detail = "the size of the output is not an integer"});
    return step([&](Verifier& verifier) { return verifier.begin_output(*bytes); });
  }
  val end_output() {
    return step([](Verifier& verifier) { return verifier.end_output(); });
  }
  val plan() {
    return step([](Verifier& verifier) { return verifier.plan(); });
  }
  val next_range() { return range_of(worker() ? worker()->next_range() : std::nullopt); }

  val report() {
    if (!worker()) return failure(refused());
    const auto errors = worker()->report();
    if (!errors) return failure(errors.error());
    Json list = Json::array();
    for (const TensorError& error : *errors) {
      Json entry = Json::object();
      entry.append("tensor", error.tensor);
      entry.append("maxError", error.max_error);
      entry.append("cosine", error.cosine);
      list.push_back(std::move(entry));
    }
    return success(val(write_json(list)));
  }
};

}  // namespace

EMSCRIPTEN_BINDINGS(verifier) {
  using namespace emscripten;
  bind_conversion_input<Verifier>("VerifierInput");
  class_<VerifierHandle, base<ConversionInput<Verifier>>>("Verifier")
      .constructor<const std::string&>()
      .function("beginOutput", &VerifierHandle::begin_output)
      .function("endOutput", &VerifierHandle::end_output)
      .function("plan", &VerifierHandle::plan)
      .function("nextRange", &VerifierHandle::next_range)
      .function("report", &VerifierHandle::report);
}

}  // namespace quintet::js
