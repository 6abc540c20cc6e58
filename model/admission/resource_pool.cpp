#include "model/admission/resource_pool.hpp"

#include "model/base/assert.hpp"
#include "model/base/mutation.hpp"

namespace headroom {

bool ResourcePool::has_unit(bool privileged) const {
  if (in_use_ >= size_) {
    return false;
  }
  return privileged || in_use_ - privileged_ + reserve_ < size_ || mutated(Mutation::reserve_given_out);
}

void ResourcePool::hold(Entry& entry) {
  entry.state = Entry::State::held;
  ++in_use_;
  privileged_ += entry.privileged ? 1 : 0;
}

CheckoutId ResourcePool::take_place(Claimant claimant, bool privileged) {
  if (free_.empty()) {
    free_.push_back(CheckoutId(static_cast<std::uint32_t>(entries_.size())));
    entries_.emplace_back();
  }
  const CheckoutId id = free_.back();
  free_.pop_back();
  Entry& entry = entries_[id.value()];
  entry = {.claimant = claimant, .privileged = privileged, .use = entry.use + 1};
  return id;
}

CheckoutId ResourcePool::ask(Claimant claimant, bool privileged) {
  const CheckoutId id = take_place(claimant, privileged);
  const Line& line = privileged ? privileged_line_ : ordinary_line_;
  if (line.first.is_none() && has_unit(privileged)) {
    hold(entries_[id.value()]);
  } else {
    join_line(id);
  }
  return id;
}

void ResourcePool::join_line(CheckoutId id) {
  Entry& entry = entries_[id.value()];
  Line& line = entry.privileged ? privileged_line_ : ordinary_line_;
  entry.state = Entry::State::waiting;
  entry.before = line.last;
  (line.last.is_none() ? line.first : entries_[line.last.value()].after) = id;
  line.last = id;
  ++waiting_;
}

void ResourcePool::clear() {
  *this = ResourcePool({.size = size_, .reserve = reserve_});
}

CheckoutId ResourcePool::restore(Claimant claimant, Entry::State state) {
  HEADROOM_ASSERT(state != Entry::State::unused, "claimant {} neither waits nor has a unit", claimant.id);
  const CheckoutId id = take_place(claimant, false);
  if (state == Entry::State::held) {
    hold(entries_[id.value()]);
  } else {
    join_line(id);
  }
  return id;
}

void ResourcePool::leave_line(CheckoutId id) {
  Entry& entry = entries_[id.value()];
  Line& line = entry.privileged ? privileged_line_ : ordinary_line_;
  (entry.before.is_none() ? line.first : entries_[entry.before.value()].after) = entry.after;
  (entry.after.is_none() ? line.last : entries_[entry.after.value()].before) = entry.before;
  entry.before = CheckoutId::none();
  entry.after = CheckoutId::none();
  --waiting_;
}

void ResourcePool::give_back(CheckoutId id) {
  Entry& entry = entries_[id.value()];
  HEADROOM_ASSERT(entry.state != Entry::State::unused, "checkout {} was given back already", id.value());
  if (entry.state == Entry::State::waiting) {
    leave_line(id);
  } else {
    --in_use_;
    privileged_ -= entry.privileged ? 1 : 0;
  }
  entry.state = Entry::State::unused;
  free_.push_back(id);
}

std::optional<ResourcePool::Entry> ResourcePool::serve_next() {
  for (const bool privileged : {true, false}) {
    const CheckoutId id = privileged ? privileged_line_.first : ordinary_line_.first;
    if (!id.is_none() && has_unit(privileged)) {
      leave_line(id);
      hold(entries_[id.value()]);
      return entries_[id.value()];
    }
  }
  return std::nullopt;
}

}  // namespace headroom
