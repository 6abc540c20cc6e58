#include "model/outbox/appended_keys.hpp"

#include "model/base/hash.hpp"

namespace headroom {
namespace {

constexpr DispatchKey kEmpty;

}  // namespace

AppendedKeys::AppendedKeys(std::uint32_t namespaces) : watermarks_(std::size_t{2} * namespaces) {
  clear();
}

void AppendedKeys::clear() {
  for (std::size_t i = 0; i < watermarks_.size(); ++i) {
    watermarks_[i] = i % 2 == 0 ? 0 : DispatchKey::kFirstOfRequests;
  }
  table_.clear();
  ahead_ = 0;
}

bool AppendedKeys::insert(DispatchKey key) {
  std::uint64_t& watermark = watermarks_[line(key)];
  if (key.ordinal() < watermark) {
    return false;
  }
  if (key.ordinal() > watermark) {
    if (contains(key)) {
      return false;
    }
    insert_ahead(key);
    return true;
  }
  ++watermark;
  while (ahead_ > 0 && erase_ahead(DispatchKey(key.name(), watermark))) {
    ++watermark;
  }
  return true;
}

bool AppendedKeys::contains(DispatchKey key) const {
  if (key.ordinal() < watermarks_[line(key)]) {
    return true;
  }
  return ahead_ > 0 && table_[find(key)] == key;
}

std::size_t AppendedKeys::home(DispatchKey key) const {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::size_t>((static_cast<Wide>(mix(key.word())) * table_.size()) >> 64U);
}

std::size_t AppendedKeys::find(DispatchKey key) const {
  std::size_t place = home(key);
  while (table_[place] != key && table_[place] != kEmpty) {
    place = place + 1 == table_.size() ? 0 : place + 1;
  }
  return place;
}

void AppendedKeys::insert_ahead(DispatchKey key) {
  // At most 4/5 full, and 3/2 of the former size after growing: never below 8/15, so at most 15 bytes a key.
  if ((ahead_ + 1) * 5 > table_.size() * 4) {
    grow();
  }
  table_[find(key)] = key;
  ++ahead_;
}

bool AppendedKeys::erase_ahead(DispatchKey key) {
  std::size_t hole = find(key);
  if (table_[hole] == kEmpty) {
    return false;
  }
  --ahead_;
  // Close the gap: a later key of the run moves back unless its home lies behind the hole.
  const std::size_t size = table_.size();
  std::size_t place = hole;
  while (true) {
    table_[hole] = kEmpty;
    do {
      place = place + 1 == size ? 0 : place + 1;
      if (table_[place] == kEmpty) {
        return true;
      }
    } while ((place + size - home(table_[place])) % size < (place + size - hole) % size);
    table_[hole] = table_[place];
    hole = place;
  }
}

void AppendedKeys::grow() {
  std::vector<DispatchKey> former(table_.size() < 16 ? 16 : table_.size() + table_.size() / 2, kEmpty);
  former.swap(table_);
  for (const DispatchKey key : former) {
    if (key != kEmpty) {
      table_[find(key)] = key;
    }
  }
}

}  // namespace headroom
