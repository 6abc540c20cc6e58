#include "model/checker/packed_set.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <tuple>
#include <type_traits>

#include "model/base/assert.hpp"
#include "model/base/hash.hpp"

namespace headroom::checker {
namespace {

constexpr std::size_t kWord = sizeof(std::uint64_t);

std::uint64_t load(const std::byte* bytes, std::size_t size) {
  std::uint64_t word = 0;
  if (size > 0) std::memcpy(&word, bytes, size);  // no bytes may be no pointer either
  return word;
}

// States are a few bytes, for which a call of memcmp costs more than the comparison.
bool same_bytes(std::span<const std::byte> a, std::span<const std::byte> b) {
  if (a.size() != b.size()) {
    return false;
  }
  const std::size_t size = a.size();
  if (size < kWord) {
    return std::equal(a.begin(), a.end(), b.begin());
  }
  std::uint64_t difference = 0;
  for (std::size_t at = 0; at + kWord <= size; at += kWord) {
    difference |= load(a.data() + at, kWord) ^ load(b.data() + at, kWord);
  }
  return (difference | (load(a.data() + size - kWord, kWord) ^ load(b.data() + size - kWord, kWord))) == 0;
}

// Grows by a quarter, not by a factor of two: what is not used counts as well.
template <class T>
void reserve_for(std::vector<T>& values, std::size_t more) {
  const std::size_t needed = values.size() + more;
  if (needed > values.capacity()) {
    values.reserve(std::max(needed, values.capacity() + values.capacity() / 4));
  }
}

template <class T>
std::size_t memory_of(const std::vector<T>& values) {
  return values.capacity() * sizeof(T);
}

}  // namespace

std::uint64_t PackedSet::hash(std::span<const std::byte> bytes) {
  std::uint64_t hash = bytes.size();
  while (bytes.size() > kWord) {
    hash = mix(hash ^ load(bytes.data(), kWord)) + 0x9E3779B97F4A7C15ULL;
    bytes = bytes.subspan(kWord);
  }
  return bytes.size() == kWord ? mix(hash ^ load(bytes.data(), kWord)) : mix(hash ^ load(bytes.data(), bytes.size()));
}

std::size_t PackedSet::slot_of(const Partition& partition, std::uint64_t hash, std::span<const std::byte> bytes) const {
  const std::uint32_t tag = tag_of(hash);
  const std::size_t mask = partition.table.size() - 1;
  std::size_t at = partition.home(hash);
  while (true) {
    const std::uint32_t slot = partition.table[at];
    if (slot == 0 || (has_tag(slot, tag) && same_bytes(partition.state(number_in(slot), size_), bytes))) {
      return at;
    }
    at = (at + 1) & mask;
  }
}

void PackedSet::prefetch_state(const Partition& partition, std::uint64_t hash) const {
  const std::uint32_t tag = tag_of(hash);
  const std::size_t mask = partition.table.size() - 1;
  std::size_t at = partition.home(hash);
  while (partition.table[at] != 0 && !has_tag(partition.table[at], tag)) {
    at = (at + 1) & mask;
  }
  if (const std::uint32_t slot = partition.table[at]; slot != 0) {
    __builtin_prefetch(size_.fixed ? static_cast<const void*>(partition.arena.data() + number_in(slot) * size_.most)
                                   : static_cast<const void*>(partition.ends.data() + number_in(slot)));
  }
}

// Needs room in the table.
void PackedSet::place(Partition& partition, const Batch::Entry& entry, std::span<const std::byte> bytes) const {
  std::uint32_t& slot = partition.table[slot_of(partition, entry.hash, bytes)];
  if (slot == 0) {
    append(partition, entry.parent, bytes);
    slot = partition.count() | tag_of(entry.hash);
  }
}

void PackedSet::append(Partition& partition, StateId parent, std::span<const std::byte> bytes) const {
  HEADROOM_ASSERT(size_.fixed ? bytes.size() == size_.most : bytes.size() <= size_.most,
                  "a packed state has {} bytes; the model's packed_size() is {}", bytes.size(), size_.most);
  reserve_for(partition.parents, 1);
  partition.parents.push_back(parent);
  reserve_for(partition.arena, bytes.size());
  partition.arena.insert(partition.arena.end(), bytes.begin(), bytes.end());
  if (!size_.fixed) {
    HEADROOM_ASSERT(partition.arena.size() <= std::numeric_limits<std::uint32_t>::max(),
                    "a partition of the visited set has {} bytes of states", partition.arena.size());
    reserve_for(partition.ends, 1);
    partition.ends.push_back(static_cast<std::uint32_t>(partition.arena.size()));
  }
}

// Keeps the load at 3/4 at most with so many more states.
void PackedSet::make_room(Partition& partition, std::size_t states) const {
  const std::size_t needed = (partition.count() + states) * 4 / 3 + 1;
  if (needed <= partition.table.size()) {
    return;
  }
  std::size_t size = std::max<std::size_t>(partition.table.size(), 8);
  while (size < needed) {
    size *= 2;
  }
  partition.table.clear();
  partition.table.shrink_to_fit();
  partition.table.resize(size, 0);
  for (std::uint32_t number = 0; number < partition.count(); ++number) {
    const std::uint64_t state_hash = hash(partition.state(number, size_));
    std::size_t at = partition.home(state_hash);
    while (partition.table[at] != 0) {
      at = (at + 1) & (size - 1);
    }
    partition.table[at] = (number + 1) | tag_of(state_hash);
  }
}

void PackedSet::insert(unsigned partition_index, std::span<const Batch* const> batches) {
  // Probes overlap: while one state is compared, the slot of a later one and the state in the slot of another are on
  // their way.
  constexpr std::size_t ahead = 12;
  struct Pending {
    Batch::Entry entry;
    std::span<const std::byte> bytes;
  };
  std::array<Pending, 32> ring{};
  static_assert(2 * ahead < std::tuple_size_v<decltype(ring)>);
  Partition& partition = partitions_[partition_index];
  std::size_t taken = 0;
  std::size_t fetched = 0;
  std::size_t placed = 0;
  const auto pending = [&](std::size_t number) -> Pending& { return ring[number % ring.size()]; };
  const auto fetch_next = [&] { prefetch_state(partition, pending(fetched++).entry.hash); };
  const auto place_next = [&] {
    place(partition, pending(placed).entry, pending(placed).bytes);
    ++placed;
  };
  for (const Batch* batch : batches) {
    for (std::size_t i = 0; i < batch->size(); ++i) {
      if (taken % ahead == 0) make_room(partition, 3 * ahead);
      pending(taken++) = {batch->entry(i), batch->bytes(i)};
      __builtin_prefetch(&partition.table[partition.home(batch->entry(i).hash)]);
      if (taken > ahead) fetch_next();
      if (taken > 2 * ahead) place_next();
    }
  }
  while (fetched < taken) fetch_next();
  while (placed < taken) place_next();
  HEADROOM_ASSERT(partition.count() < kMostStates, "a partition of the visited set has {} states", partition.count());
}

void PackedSet::prefetch(std::uint64_t hash) const {
  const Partition& partition = partitions_[partition_of(hash)];
  if (!partition.table.empty()) {
    __builtin_prefetch(&partition.table[partition.home(hash)]);
  }
}

StateId PackedSet::find(std::uint64_t hash, std::span<const std::byte> bytes) const {
  const unsigned index = partition_of(hash);
  const Partition& partition = partitions_[index];
  if (partition.table.empty()) {
    return kNoState;
  }
  const std::uint32_t slot = partition.table[slot_of(partition, hash, bytes)];
  return slot == 0 ? kNoState : id_of(index, number_in(slot));
}

std::vector<StateId> PackedSet::way_to(StateId id) const {
  std::vector<StateId> way;
  for (StateId at = id; at != kNoState; at = parent(at)) {
    way.push_back(at);
  }
  std::ranges::reverse(way);
  return way;
}

std::uint64_t PackedSet::size() const {
  std::uint64_t size = 0;
  for (const Partition& partition : partitions_) {
    size += partition.count();
  }
  return size;
}

PackedSet::Counts PackedSet::counts() const {
  Counts counts{};
  std::ranges::transform(partitions_, counts.begin(), [](const Partition& partition) { return partition.count(); });
  return counts;
}

bool PackedSet::nearly_full() const {
  constexpr std::uint32_t full = kMostStates / 16 * 15;
  constexpr std::size_t full_arena = std::size_t{std::numeric_limits<std::uint32_t>::max()} / 16 * 15;
  return std::ranges::any_of(partitions_, [&](const Partition& partition) {
    return partition.count() > full || (!size_.fixed && partition.arena.size() > full_arena);
  });
}

std::size_t PackedSet::memory() const {
  std::size_t bytes = 0;
  for (const Partition& partition : partitions_) {
    bytes += memory_of(partition.arena) + memory_of(partition.ends) + memory_of(partition.parents) +
             memory_of(partition.table);
  }
  return bytes;
}

}  // namespace headroom::checker
