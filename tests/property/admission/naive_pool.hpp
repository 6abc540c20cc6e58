// A shared resource in its plainest form: one list of claimants in order of asking.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/admission/config.hpp"

namespace headroom::test {

class NaivePool {
 public:
  struct Claim {
    std::uint32_t who = 0;
    bool privileged = false;
    bool holds = false;
  };
  explicit NaivePool(const ResourceConfig& config) : config_(config) {}

  void ask(std::uint32_t who, bool privileged) {
    const bool behind = std::ranges::any_of(
        claims_, [&](const Claim& claim) { return !claim.holds && claim.privileged == privileged; });
    claims_.push_back({who, privileged, !behind && unit_free(privileged)});
  }
  void give_back(std::uint32_t who) { claims_.erase(std::ranges::find(claims_, who, &Claim::who)); }
  // The privileged first, then first in first out.
  std::optional<std::uint32_t> serve_next() {
    for (const bool privileged : {true, false}) {
      for (Claim& claim : claims_) {
        if (!claim.holds && claim.privileged == privileged) {
          if (unit_free(privileged)) {
            claim.holds = true;
            return claim.who;
          }
          break;
        }
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] const std::vector<Claim>& claims() const { return claims_; }
  [[nodiscard]] std::uint32_t held_by(bool privileged) const {
    return static_cast<std::uint32_t>(
        std::ranges::count_if(claims_, [&](const Claim& c) { return c.holds && c.privileged == privileged; }));
  }

 private:
  // Ordinary claimants hold at most size - reserve between them, and all of them at most size.
  [[nodiscard]] bool unit_free(bool privileged) const {
    return held_by(true) + held_by(false) < config_.size &&
           (privileged || held_by(false) < config_.size - config_.reserve);
  }

  ResourceConfig config_;
  std::vector<Claim> claims_;
};

}  // namespace headroom::test
