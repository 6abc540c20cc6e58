// The promises of `deficit_round_robin` (spec 1.3).
#include "model/backpressure/weights.hpp"
#include "tests/property/backpressure/promises.hpp"
#include "tests/property/check.hpp"

namespace headroom::test {
namespace {

constexpr PlannerKind kWeighted = PlannerKind::deficit_round_robin;

TEST_CASE("service by weight of uncapped tenants stays within 2 rounds", "[property]") {
  const auto within_two_rounds = [](PlannerKind kind) {
    const History history = *any_history();
    const Breach found = breach_of_equality(history, outcome_of(kind, history), 2, history.weights);
    if (found) {
      RC_FAIL(*found);
    }
  };
  check_property("deficit_round_robin.rounds", [&] { within_two_rounds(kWeighted); });
  check_broken("rotating.rounds", [&] { within_two_rounds(PlannerKind::rotating); });
}

TEST_CASE("deficit_round_robin keeps within its limits and leaves no batch unused", "[property]") {
  check_property("deficit_round_robin.limits", [] {
    const History history = *any_history();
    const Outcome outcome = outcome_of(kWeighted, history);
    for (const Breach& found : {breach_of_limits(history, outcome), breach_of_work_conservation(history, outcome),
                                breach_of_claims(outcome)}) {
      if (found) {
        RC_FAIL(*found);
      }
    }
  });
}

// The rule of spec 1.3 taken literally: one deficit a tenant, names visited one after another.
class LiteralRule {
 public:
  explicit LiteralRule(std::size_t tenants) : deficit_(tenants, 0), cursor_(tenants - 1) {}

  Rows sweep(const std::vector<std::uint32_t>& caps, const std::vector<std::uint32_t>& weights, std::uint32_t budget) {
    Rows rows(caps.size(), 0);
    if (turn_is_open_ && caps[cursor_] == 0) {
      close();
    }
    while (budget > 0 && rows != caps) {
      if (!turn_is_open_) {
        do {
          cursor_ = (cursor_ + 1) % caps.size();
        } while (rows[cursor_] == caps[cursor_]);
        deficit_[cursor_] += weights[cursor_];
        turn_is_open_ = true;
      }
      while (budget > 0 && deficit_[cursor_] > 0 && rows[cursor_] < caps[cursor_]) {
        --budget;
        --deficit_[cursor_];
        ++rows[cursor_];
      }
      if (deficit_[cursor_] == 0 || rows[cursor_] == caps[cursor_]) {
        close();
      }
    }
    return rows;
  }

 private:
  void close() {
    deficit_[cursor_] = 0;
    turn_is_open_ = false;
  }

  std::vector<std::uint32_t> deficit_;
  std::size_t cursor_;
  bool turn_is_open_ = false;
};

TEST_CASE("deficit_round_robin agrees with its rule taken literally", "[property]") {
  check_property("deficit_round_robin.literal", [] {
    const History history = *any_history();
    LiteralRule rule(history.tenants());
    const Outcome outcome = outcome_of(kWeighted, history);
    for (std::size_t sweep = 0; sweep < history.caps.size(); ++sweep) {
      RC_ASSERT(outcome.grants[sweep] == rule.sweep(history.caps[sweep], history.weights, history.batch));
    }
  });
}

TEST_CASE("weights in the same ratio give the same grants once they are reduced", "[property]") {
  check_property("deficit_round_robin.reduced", [] {
    const History history = *any_history();
    const auto factor = *number_in<std::uint32_t>(1, 100);
    History scaled = history;
    for (std::uint32_t& weight : scaled.weights) {
      weight *= factor;
    }
    History plain = history;
    plain.weights = reduced_weights(history.weights);
    scaled.weights = reduced_weights(scaled.weights);
    RC_ASSERT(outcome_of(kWeighted, plain).grants == outcome_of(kWeighted, scaled).grants);
  });
}

}  // namespace
}  // namespace headroom::test
