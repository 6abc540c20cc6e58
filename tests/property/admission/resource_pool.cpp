// A resource pool and a naive list of claimants walk the same random commands, and are compared after every one.
#include "model/admission/resource_pool.hpp"

#include <map>
#include <rapidcheck/state.h>

#include "tests/property/admission/naive_pool.hpp"
#include "tests/property/check.hpp"

namespace headroom::test {
namespace {

template <class T>
T below(T bound) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<T>(0, bound));
}

struct Sut {
  ResourcePool pool;
  std::map<std::uint32_t, CheckoutId> checkouts;  // by claimant
};
struct Model {
  NaivePool pool;
  std::uint32_t asked = 0;
};
using Command = rc::state::Command<Model, Sut>;

void serve_all(NaivePool& naive, Sut* sut) {
  while (true) {
    const std::optional<std::uint32_t> expected = naive.serve_next();
    if (sut != nullptr) {
      const std::optional<ResourcePool::Entry> served = sut->pool.serve_next();
      RC_ASSERT(served.has_value() == expected.has_value());
      RC_ASSERT((!served || served->claimant.id == *expected));
    }
    if (!expected) {
      return;
    }
  }
}

void compare(const NaivePool& naive, const Sut& sut) {
  RC_ASSERT(sut.pool.in_use_by_privileged() == naive.held_by(true));
  RC_ASSERT(sut.pool.in_use() == naive.held_by(true) + naive.held_by(false));
  RC_ASSERT(sut.pool.waiting() + sut.pool.in_use() == naive.claims().size());
  for (const NaivePool::Claim& claim : naive.claims()) {
    const CheckoutId id = sut.checkouts.at(claim.who);
    RC_ASSERT(sut.pool.checked_out(id) == claim.holds);
    RC_ASSERT(sut.pool.waits(id, sut.pool.entry(id).use) == !claim.holds);
    RC_ASSERT(!sut.pool.waits(id, sut.pool.entry(id).use - 1));
  }
}

// Has no precondition.
class Ask final : public Command {
 public:
  explicit Ask(const Model& model) : who_(model.asked), privileged_(below(4) == 0) {}
  void apply(Model& model) const override {
    model.asked = who_ + 1;
    model.pool.ask(who_, privileged_);
  }
  void run(const Model& before, Sut& sut) const override {
    Model model = before;
    apply(model);
    sut.checkouts[who_] = sut.pool.ask({Claimant::Kind::request, who_}, privileged_);
    compare(model.pool, sut);
  }
  void show(std::ostream& out) const override { out << "ask " << who_ << (privileged_ ? ", privileged" : ""); }

 private:
  std::uint32_t who_;
  bool privileged_;
};

// A unit comes back, or a claimant leaves the line; what is free is handed on, now or after a later command.
class GiveBack final : public Command {
 public:
  explicit GiveBack(const Model& model) {
    RC_PRE(!model.pool.claims().empty());
    who_ = model.pool.claims()[below(model.pool.claims().size())].who;
    serves_ = below(4) != 0;
  }
  void checkPreconditions(const Model& model) const override {
    RC_PRE(std::ranges::count(model.pool.claims(), who_, &NaivePool::Claim::who) > 0);
  }
  void apply(Model& model) const override { act(model, nullptr); }
  void run(const Model& before, Sut& sut) const override {
    Model model = before;
    act(model, &sut);
    compare(model.pool, sut);
  }
  void show(std::ostream& out) const override { out << "give back " << who_ << (serves_ ? "" : ", and serve later"); }

 private:
  void act(Model& model, Sut* sut) const {
    model.pool.give_back(who_);
    if (sut != nullptr) {
      sut->pool.give_back(sut->checkouts.at(who_));
      sut->checkouts.erase(who_);
    }
    if (serves_) {
      serve_all(model.pool, sut);
    }
  }
  std::uint32_t who_ = 0;
  bool serves_ = true;
};

TEST_CASE("a resource pool and a list of claimants serve alike", "[property]") {
  check_property("resource_pool", [] {
    const std::uint32_t reserve = below(3U);
    const ResourceConfig config{.size = reserve + 1 + below(4U), .reserve = reserve};
    const Model model{.pool = NaivePool(config)};
    const auto commands = *rc::gen::resize(
        rc::kNominalSize, rc::state::gen::commands(model, rc::state::gen::execOneOfWithArgs<Ask, Ask, GiveBack>()));
    Sut sut{.pool = ResourcePool(config), .checkouts = {}};
    rc::state::runAll(commands, model, sut);
  });
}

}  // namespace
}  // namespace headroom::test
