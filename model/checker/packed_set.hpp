// The visited set: whole packed states, each once, with the state that each was first reached from.
//
//   PackedSet visited(model.packed_size());
//   Batch batch;                                     // successors that fall into one partition
//   batch.add(PackedSet::hash(bytes), parent, bytes);
//   visited.insert(partition, batch);
//   visited.bytes(id), visited.parent(id)
//
// A state falls into one of 64 partitions by its hash. Partitions are independent: threads insert into different ones
// without a lock, and what a partition holds, in which order, depends only on the batches that it was given. In a
// partition, states lie one after another in insertion order, and a table with open addressing holds their numbers.
// Costs a state: its bytes, 4 for the parent, 4 divided by the load (3/8 to 3/4) for the table; 4 more where sizes
// vary.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/checker/cache_lines.hpp"
#include "model/checker/model.hpp"

namespace headroom::checker {

// Names a state of a PackedSet: its number in its partition, and the partition in the low bits.
using StateId = std::uint32_t;
inline constexpr StateId kNoState = ~StateId{0};

// Packed states in the order in which they are to be inserted, with hash and parent.
class Batch {
 public:
  struct Entry {
    std::uint64_t hash;
    StateId parent;
    std::uint32_t offset;  // of its bytes
  };

  void clear() {
    entries_.clear();
    bytes_.clear();
  }
  void add(std::uint64_t hash, StateId parent, std::span<const std::byte> bytes) {
    entries_.push_back({hash, parent, static_cast<std::uint32_t>(bytes_.size())});
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] const Entry& entry(std::size_t index) const { return entries_[index]; }
  [[nodiscard]] std::span<const std::byte> bytes(std::size_t index) const {
    const std::size_t end = index + 1 < entries_.size() ? entries_[index + 1].offset : bytes_.size();
    return std::span(bytes_).subspan(entries_[index].offset, end - entries_[index].offset);
  }
  [[nodiscard]] std::size_t memory() const { return entries_.capacity() * sizeof(Entry) + bytes_.capacity(); }

 private:
  std::vector<Entry> entries_;
  std::vector<std::byte> bytes_;
};

class PackedSet {
 public:
  static constexpr unsigned kPartitionBits = 6;
  static constexpr unsigned kPartitions = 1U << kPartitionBits;
  // States of each partition, by partition.
  using Counts = std::array<std::uint32_t, kPartitions>;

  explicit PackedSet(PackedSize size) : size_(size) {}

  [[nodiscard]] static std::uint64_t hash(std::span<const std::byte> bytes);
  [[nodiscard]] static unsigned partition_of(std::uint64_t hash) {
    return static_cast<unsigned>(hash >> (64U - kPartitionBits));
  }
  [[nodiscard]] static StateId id_of(unsigned partition, std::uint32_t number) {
    return (number << kPartitionBits) | partition;
  }
  [[nodiscard]] static unsigned partition_of_id(StateId id) { return id & (kPartitions - 1); }
  [[nodiscard]] static std::uint32_t number_of(StateId id) { return id >> kPartitionBits; }

  // Inserts what is not there yet, batch after batch; of equal states the first. All must belong to the partition.
  // Threads may call this at once for different partitions, with no other call beside them.
  void insert(unsigned partition, std::span<const Batch* const> batches);
  void insert(unsigned partition, const Batch& batch) {
    const std::array<const Batch*, 1> batches = {&batch};
    insert(partition, batches);
  }

  // Brings what `find` will look at into the cache.
  void prefetch(std::uint64_t hash) const;
  // kNoState: not in the set.
  [[nodiscard]] StateId find(std::uint64_t hash, std::span<const std::byte> bytes) const;

  [[nodiscard]] std::span<const std::byte> bytes(StateId id) const {
    return partitions_[partition_of_id(id)].state(number_of(id), size_);
  }
  [[nodiscard]] StateId parent(StateId id) const { return partitions_[partition_of_id(id)].parents[number_of(id)]; }
  // From a state that was inserted without a parent to this one, each the parent of the next.
  [[nodiscard]] std::vector<StateId> way_to(StateId id) const;

  [[nodiscard]] std::uint64_t size() const;
  [[nodiscard]] Counts counts() const;
  // Numbers run out soon: no more than another round of insertions may follow.
  [[nodiscard]] bool nearly_full() const;
  [[nodiscard]] std::size_t memory() const;

 private:
  // A slot of the table: 0 if empty, else number + 1 with six further bits of the hash above it, which keep most
  // unequal states from being looked at.
  static constexpr unsigned kTagShift = 32U - kPartitionBits;
  static constexpr std::uint32_t kMostStates = (1U << kTagShift) - 1;

  struct alignas(kCacheLines) Partition {
    std::vector<std::byte> arena;
    std::vector<std::uint32_t> ends;  // where sizes vary: of each state in the arena
    std::vector<StateId> parents;
    std::vector<std::uint32_t> table;

    [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(parents.size()); }
    [[nodiscard]] std::span<const std::byte> state(std::uint32_t number, PackedSize size) const {
      if (size.fixed) {
        return std::span(arena).subspan(number * size.most, size.most);
      }
      const std::uint32_t begin = number == 0 ? 0 : ends[number - 1];
      return std::span(arena).subspan(begin, ends[number] - begin);
    }
    [[nodiscard]] std::size_t home(std::uint64_t hash) const { return hash & (table.size() - 1); }
  };

  [[nodiscard]] static std::uint32_t tag_of(std::uint64_t hash) {
    return static_cast<std::uint32_t>(hash >> (64U - 2 * kPartitionBits)) << kTagShift;
  }
  [[nodiscard]] static std::uint32_t number_in(std::uint32_t slot) { return (slot & kMostStates) - 1; }
  [[nodiscard]] static bool has_tag(std::uint32_t slot, std::uint32_t tag) { return (slot & ~kMostStates) == tag; }
  // The slot that holds the state, or the empty one where it belongs.
  [[nodiscard]] std::size_t slot_of(const Partition& partition, std::uint64_t hash,
                                    std::span<const std::byte> bytes) const;
  void prefetch_state(const Partition& partition, std::uint64_t hash) const;
  void make_room(Partition& partition, std::size_t states) const;
  void place(Partition& partition, const Batch::Entry& entry, std::span<const std::byte> bytes) const;
  void append(Partition& partition, StateId parent, std::span<const std::byte> bytes) const;

  PackedSize size_;
  std::array<Partition, kPartitions> partitions_;
};

}  // namespace headroom::checker
