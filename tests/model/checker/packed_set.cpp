#include "model/checker/packed_set.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace headroom {
namespace {

using checker::Batch;
using checker::kNoState;
using checker::PackedSet;
using checker::StateId;

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

StateId insert(PackedSet& set, const std::string& text, StateId parent) {
  const std::uint64_t hash = PackedSet::hash(bytes_of(text));
  Batch batch;
  batch.add(hash, parent, bytes_of(text));
  set.insert(PackedSet::partition_of(hash), batch);
  return set.find(hash, bytes_of(text));
}

std::string number_text(std::uint32_t number, std::size_t size) {
  std::string text(size, '\0');
  std::memcpy(text.data(), &number, std::min(size, sizeof number));
  return text;
}

// Inserts 100,000 texts twice, in batches, and finds each of them and no other.
void holds_all(checker::PackedSize size, const std::vector<std::string>& texts, const std::string& absent) {
  PackedSet set(size);
  for (int round = 0; round < 2; ++round) {
    std::array<Batch, PackedSet::kPartitions> batches;
    for (const std::string& text : texts) {
      const std::uint64_t hash = PackedSet::hash(bytes_of(text));
      batches[PackedSet::partition_of(hash)].add(hash, kNoState, bytes_of(text));
    }
    for (unsigned partition = 0; partition < PackedSet::kPartitions; ++partition) {
      set.insert(partition, batches[partition]);
    }
    REQUIRE(set.size() == texts.size());
  }
  std::size_t found = 0;
  for (const std::string& text : texts) {
    const StateId id = set.find(PackedSet::hash(bytes_of(text)), bytes_of(text));
    if (id != kNoState && std::ranges::equal(set.bytes(id), bytes_of(text))) ++found;
  }
  CHECK(found == texts.size());
  CHECK(set.find(PackedSet::hash(bytes_of(absent)), bytes_of(absent)) == kNoState);
}

}  // namespace

TEST_CASE("a packed state is held once, with the parent that it came from first") {
  PackedSet set({.most = 3, .fixed = true});
  const StateId root = insert(set, "abc", kNoState);
  const StateId child = insert(set, "abd", root);
  const StateId grandchild = insert(set, "abe", child);
  CHECK(insert(set, "abe", root) == grandchild);
  CHECK(set.size() == 3);
  CHECK(set.parent(grandchild) == child);
  CHECK(set.way_to(grandchild) == std::vector<StateId>{root, child, grandchild});
}

TEST_CASE("of equal states in a batch the first counts") {
  PackedSet set({.most = 3, .fixed = true});
  const std::uint64_t hash = PackedSet::hash(bytes_of("xyz"));
  Batch batch;
  batch.add(hash, 7, bytes_of("xyz"));
  batch.add(hash, 9, bytes_of("xyz"));
  set.insert(PackedSet::partition_of(hash), batch);
  CHECK(set.size() == 1);
  CHECK(set.parent(set.find(hash, bytes_of("xyz"))) == 7);
}

TEST_CASE("a hundred thousand packed states of any fixed size are held and found") {
  for (const std::size_t size : {3U, 4U, 8U, 13U, 21U}) {
    std::vector<std::string> texts;
    for (std::uint32_t number = 0; number < 100'000; ++number) texts.push_back(number_text(number, size));
    holds_all({.most = size, .fixed = true}, texts, number_text(100'000, size));
  }
}

TEST_CASE("a hundred thousand packed states of all sizes are held and found") {
  std::vector<std::string> texts = {""};
  for (std::uint32_t number = 0; texts.size() < 100'000; ++number) texts.push_back(number_text(number, 3 + number % 9));
  holds_all({.most = 12, .fixed = false}, texts, std::string(13, 'x'));
}

TEST_CASE("states that share a hash are told apart by every one of their bytes") {
  for (const std::size_t size : {3U, 8U, 9U, 16U, 21U}) {
    PackedSet set({.most = size, .fixed = true});
    Batch batch;
    std::vector<std::string> texts = {std::string(size, 'a')};
    for (std::size_t at = 0; at < size; ++at) {
      texts.push_back(texts.front());
      texts.back()[at] = 'b';
    }
    for (const std::string& text : texts) batch.add(42, kNoState, bytes_of(text));
    set.insert(PackedSet::partition_of(42), batch);
    CHECK(set.size() == size + 1);
    for (const std::string& text : texts) {
      const StateId id = set.find(42, bytes_of(text));
      REQUIRE(id != kNoState);
      CHECK(std::ranges::equal(set.bytes(id), bytes_of(text)));
    }
    CHECK(set.find(42, bytes_of(std::string(size, 'b'))) == kNoState);
  }
}

}  // namespace headroom
