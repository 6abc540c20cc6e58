// Stateful properties: commands that a model and the system under test carry out side by side. A failure shrinks to the
// fewest and simplest commands that still show it.
//
//   class Push final : public BothCommand<Model, Sut> {
//    public:
//     explicit Push(const Model& model) : value_(below(10)) {}      // may RC_PRE
//     void checkPreconditions(const Model& model) const override;  // when other commands are taken away
//     void show(std::ostream& out) const override;
//    private:
//     void act(Model& model, Sut* sut) const override;
//   };
//   void compare(const Model& model, const Sut& sut);
//   ...
//   check_property("stack.against_naive", [] { walk<Push, Pop>(Model{}, Sut{}); });
//
// One command at least needs no precondition: RapidCheck gives up where it finds none that fits.
#pragma once

#include <rapidcheck.h>
#include <rapidcheck/state.h>
#include <utility>

namespace headroom::test {

// A number of [0, bound), whatever the size of the case.
template <class T>
[[nodiscard]] T below(T bound) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<T>(0, bound));
}

// Written once: it acts on the model alone, or on both, which are then compared in full.
template <class Model, class Sut>
class BothCommand : public rc::state::Command<Model, Sut> {
 public:
  void apply(Model& model) const final { act(model, nullptr); }
  void run(const Model& before, Sut& sut) const final {
    Model model = before;
    act(model, &sut);
    compare(model, sut);
  }

 protected:
  // `sut` is null when only the model's next state is wanted.
  virtual void act(Model& model, Sut* sut) const = 0;
};

// Up to 100 commands, each drawn from those that fit the state; a command that is named twice is drawn twice as often.
template <class... Commands, class Model, class Sut>
void walk(const Model& model, Sut sut) {
  const auto commands = *rc::gen::resize(
      rc::kNominalSize, rc::state::gen::commands(model, rc::state::gen::execOneOfWithArgs<Commands...>()));
  compare(model, sut);
  rc::state::runAll(commands, model, sut);
}

}  // namespace headroom::test
