// A resource of the whole fleet of which each holder has one unit at a time: the database's connections, the
// concurrency of the next service.
//
//   ResourcePool pool(config);
//   const CheckoutId mine = pool.ask(claimant);            // served first in, first out
//   if (!pool.checked_out(mine)) wait_for(...);
//   pool.give_back(mine);
//   while (const auto served = pool.serve_next()) go_on(served->claimant);   // in the same step
//
// The reserve is kept for the privileged (health checks): others wait while only the reserve is free.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/admission/config.hpp"
#include "model/base/ids.hpp"

namespace headroom {

// The place of a claimant in a pool; reused.
using CheckoutId = Id<struct CheckoutTag, std::uint32_t>;

struct Claimant {
  enum class Kind : std::uint8_t { request, execution, health_check };
  Kind kind = Kind::request;
  std::uint32_t id = 0;  // of the request, the execution or the process
  friend bool operator==(const Claimant&, const Claimant&) = default;
};

class ResourcePool {
 public:
  struct Entry {
    enum class State : std::uint8_t { unused, waiting, held };
    Claimant claimant;
    State state = State::unused;
    bool privileged = false;
    std::uint32_t use = 0;  // grows each time that the place is given out: tells a timer whom it was for
    CheckoutId before;
    CheckoutId after;
    friend bool operator==(const Entry&, const Entry&) = default;
  };

  explicit ResourcePool(const ResourceConfig& config) : size_(config.size), reserve_(config.reserve) {}

  // Checked out at once if a unit is free and nobody of the same rank waits for one.
  CheckoutId ask(Claimant claimant, bool privileged = false);
  [[nodiscard]] bool checked_out(CheckoutId id) const { return entry(id).state == Entry::State::held; }
  // A held unit comes back, or a waiting claimant leaves the queue. The place is free for others from here on.
  void give_back(CheckoutId id);
  // The waiting claimant that has a unit now, if there is one; the privileged come first.
  std::optional<Entry> serve_next();

  // Nobody has a unit or waits for one; then each claimant as it stood, those that wait in their order.
  void clear();
  CheckoutId restore(Claimant claimant, Entry::State state);

  [[nodiscard]] const Entry& entry(CheckoutId id) const { return entries_[id.value()]; }
  // The first of the ordinary claimants that wait; those after it follow by Entry::after.
  [[nodiscard]] CheckoutId first_waiting() const { return ordinary_line_.first; }
  // Whether the place is still that of the claimant for whom `use` was read, and it waits.
  [[nodiscard]] bool waits(CheckoutId id, std::uint32_t use) const {
    return entry(id).use == use && entry(id).state == Entry::State::waiting;
  }
  [[nodiscard]] std::uint32_t size() const { return size_; }
  [[nodiscard]] std::uint32_t reserve() const { return reserve_; }
  [[nodiscard]] std::uint32_t in_use() const { return in_use_; }
  [[nodiscard]] std::uint32_t in_use_by_privileged() const { return privileged_; }
  [[nodiscard]] std::uint32_t waiting() const { return waiting_; }
  // Nobody but the privileged has or awaits a unit.
  [[nodiscard]] bool quiet() const { return in_use_ == privileged_ && ordinary_line_.first.is_none(); }

  friend bool operator==(const ResourcePool&, const ResourcePool&) = default;

 private:
  struct Line {
    CheckoutId first;
    CheckoutId last;
    friend bool operator==(const Line&, const Line&) = default;
  };
  // Units of the reserve that privileged claimants do not use stay free.
  [[nodiscard]] bool has_unit(bool privileged) const;
  CheckoutId take_place(Claimant claimant, bool privileged);
  void hold(Entry& entry);
  void join_line(CheckoutId id);
  void leave_line(CheckoutId id);

  std::uint32_t size_;
  std::uint32_t reserve_;
  std::uint32_t in_use_ = 0;
  std::uint32_t privileged_ = 0;  // of those in use
  std::uint32_t waiting_ = 0;
  Line ordinary_line_;
  Line privileged_line_;
  std::vector<Entry> entries_;
  std::vector<CheckoutId> free_;
};

}  // namespace headroom
