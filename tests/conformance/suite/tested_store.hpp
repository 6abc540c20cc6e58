// The store that a program of this folder tests: which one is decided by what the program is linked with.
//
//   const TestedPlace place;                                  // a database of its own, gone at the end
//   const std::unique_ptr<Store> store = place.open();
//   store->reset(small_setup());
#pragma once

#include <memory>
#include <string>

#include "sim/store/open_store.hpp"
#include "sim/store/store.hpp"

namespace headroom::test {

class TestedPlace {
 public:
  TestedPlace();
  ~TestedPlace();
  TestedPlace(const TestedPlace&) = delete;
  TestedPlace& operator=(const TestedPlace&) = delete;

  // As --store takes it.
  [[nodiscard]] const std::string& url() const { return url_; }
  // Fails the test if the store cannot be opened.
  [[nodiscard]] std::unique_ptr<Store> open(StoreUse use = StoreUse::shared) const;

  // Puts something into the database that is not a store's. Needs a place where no store has been.
  void occupy() const;

 private:
  std::string url_;
  std::string path_;  // folder, or name of the database
};

// The path of the SQLite file, or the connection string, that `url` names.
[[nodiscard]] std::string after_scheme(const std::string& url);

// Two nodes with two shards each, two namespaces with two routes and two workflows each. Delays 3, 6, 10 ns, four
// tries.
[[nodiscard]] StoreSetup small_setup();

// A row of a namespace's first route and workflow, due from `visible_after` on.
[[nodiscard]] NewRow new_row(std::uint32_t name, std::uint64_t ordinal, std::int64_t visible_after = 0,
                             std::uint32_t shard = 0);

// An instant so many nanoseconds after the start.
[[nodiscard]] constexpr Time at(std::int64_t nanoseconds) {
  return Time::at(Duration::nanoseconds(nanoseconds));
}

// Everything that `commands` says to the store happens in one transaction.
template <class Commands>
auto in_transaction(Store& store, Commands commands) {
  StoreTransaction transaction(store);
  auto result = commands();
  transaction.commit();
  return result;
}

}  // namespace headroom::test
