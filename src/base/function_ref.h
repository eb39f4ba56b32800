#pragma once
// A function that is called while the caller's own object lives. In place of std::function, whose code is much larger,
// where nothing is kept.

#include <concepts>
#include <type_traits>
#include <utility>

namespace quintet {

template <class Signature>
class FunctionRef;

template <class Returned, class... Values>
class FunctionRef<Returned(Values...)> {
 public:
  template <std::invocable<Values...> Function>
    requires(!std::same_as<std::remove_cvref_t<Function>, FunctionRef>)
  FunctionRef(const Function& function)  // implicit, as from a lambda
      : function_(&function), call_([](const void* object, Values... values) -> Returned {
          return (*static_cast<const Function*>(object))(std::forward<Values>(values)...);
        }) {}

  Returned operator()(Values... values) const { return call_(function_, std::forward<Values>(values)...); }

 private:
  const void* function_;
  Returned (*call_)(const void* function, Values... values);
};

}  // namespace quintet
