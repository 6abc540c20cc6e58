// store_worker URL NODE FIRST_ORDINAL STAGE ACKS: appends rows, claims and settles them, until it is killed.
//
// What it tells is a line of the file ACKS, written once it is committed: "a ORDINAL" a new row, "r ORDINAL" a result.
#include <cstdio>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

#include "sim/store/open_store.hpp"
#include "tests/conformance/worker/kill_stage.hpp"

namespace headroom::test {
namespace {

class Worker {
 public:
  Worker(Store& store, NodeId node, std::uint64_t first_ordinal, Stage& stage, int acks)
      : store_(store),
        node_(node),
        first_ordinal_(first_ordinal),
        next_ordinal_(first_ordinal),
        stage_(stage),
        acks_(acks) {}

  [[noreturn]] void work() {
    {
      StoreTransaction transaction(store_);
      store_.learn_ownership(node_);
      transaction.commit();
    }
    while (true) {
      append();
      for (const RowChange& change : claim()) {
        settle(change.row);
      }
    }
  }

 private:
  void append() {
    std::string told;
    {
      StoreTransaction transaction(store_);
      // Three new rows, and one again that may be anywhere by now.
      for (const std::uint64_t ordinal : {next_ordinal_, next_ordinal_ + 1, next_ordinal_ + 2, first_ordinal_ / 2}) {
        if (store_.append(kill_row(ordinal))) {
          told += "a " + std::to_string(ordinal) + "\n";
        }
      }
      pass(Point::appended);
      transaction.commit();
    }
    next_ordinal_ += 3;
    tell(told);
    pass(Point::acked);
  }

  std::vector<RowChange> claim() {
    StoreTransaction transaction(store_);
    std::vector<RowChange> claimed = store_.claim({.node = node_, .route = RouteId(0), .limit = 4, .at = kNow});
    pass(Point::claimed);
    transaction.commit();
    pass(Point::held);
    return claimed;
  }

  void settle(const StoredRow& row) {
    Settled outcome = Settled::stale;
    {
      StoreTransaction transaction(store_);
      const bool fails = row.key.ordinal() % 7 == 0 && row.attempt == 0;
      outcome = (fails ? store_.fail(row.key, row.fence, kNow) : store_.complete(row.key, row.fence)).outcome;
      if (outcome == Settled::retried) {
        store_.become_visible(row.key, kNow);
      }
      pass(Point::settled);
      transaction.commit();
    }
    pass(Point::recorded);
    if (outcome == Settled::recorded) {
      tell("r " + std::to_string(row.key.ordinal()) + "\n");
    }
    pass(Point::told);
  }

  void pass(Point point) {
    stage_.at = static_cast<std::uint32_t>(point);
    if (++stage_.passed >= stage_.stop_after && stage_.stop_at == static_cast<std::uint32_t>(point)) {
      stage_.stands = true;
      while (true) {
        pause();
      }
    }
  }
  // One write: whole lines, or none.
  void tell(const std::string& lines) const {
    if (!lines.empty() && write(acks_, lines.data(), lines.size()) != static_cast<ssize_t>(lines.size())) {
      std::_Exit(3);
    }
  }

  Store& store_;
  NodeId node_;
  std::uint64_t first_ordinal_;
  std::uint64_t next_ordinal_;
  Stage& stage_;
  int acks_;
};

int run(char** arguments) {
  const Result<std::unique_ptr<Store>> store = open_store(arguments[1], StoreUse::shared);
  const int stage = open(arguments[4], O_RDWR);
  const int acks = open(arguments[5], O_WRONLY | O_APPEND);
  void* const page = mmap(nullptr, sizeof(Stage), PROT_READ | PROT_WRITE, MAP_SHARED, stage, 0);
  if (!store || stage < 0 || acks < 0 || page == MAP_FAILED) {
    std::fprintf(stderr, "store_worker: %s\n", store ? "no stage" : store.faults().front().text().c_str());
    return 2;
  }
  try {
    store.value()->attach(kill_setup().outbox);
    const NodeId node(static_cast<std::uint16_t>(std::stoul(arguments[2])));
    Worker(*store.value(), node, std::stoull(arguments[3]), *static_cast<Stage*>(page), acks).work();
  } catch (const StoreError& error) {
    std::fprintf(stderr, "store_worker: %s\n", error.what());
    return 2;
  }
}

}  // namespace
}  // namespace headroom::test

int main(int argc, char** argv) {
  return argc == 6 ? headroom::test::run(argv) : 2;
}
