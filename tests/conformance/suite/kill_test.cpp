// Workers that are killed in the middle of appending, claiming and settling, two hundred times, lose nothing and double
// nothing.
#include <array>
#include <catch2/catch.hpp>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <new>
#include <sched.h>
#include <set>
#include <spawn.h>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "model/base/hash.hpp"
#include "tests/conformance/suite/tested_store.hpp"
#include "tests/conformance/worker/kill_stage.hpp"

extern char** environ;

namespace headroom::test {
namespace {

constexpr int kKills = 200;

class WorkFolder {
 public:
  WorkFolder() : path_((std::filesystem::temp_directory_path() / "headroom_XXXXXX").string()) {
    REQUIRE(mkdtemp(path_.data()) != nullptr);
    std::ofstream(file("acks")).flush();
  }
  ~WorkFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

// A child process that works for one node.
class Victim {
 public:
  Victim(const std::string& url, std::uint16_t node, std::uint64_t first_ordinal, const WorkFolder& folder) {
    const std::string page = folder.file("stage_" + std::to_string(node));
    const int descriptor = open(page.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600);
    REQUIRE(descriptor >= 0);
    REQUIRE(ftruncate(descriptor, sizeof(Stage)) == 0);
    void* const mapped = mmap(nullptr, sizeof(Stage), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    close(descriptor);
    REQUIRE(mapped != MAP_FAILED);
    stage_ = new (mapped) Stage;
    const char* const program = std::getenv("HEADROOM_STORE_WORKER");
    INFO("HEADROOM_STORE_WORKER is set by ctest");
    REQUIRE(program != nullptr);
    std::vector<std::string> words{
        program, url, std::to_string(node), std::to_string(first_ordinal), page, folder.file("acks")};
    std::vector<char*> arguments;
    for (std::string& word : words) {
      arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    REQUIRE(posix_spawn(&process_, program, nullptr, nullptr, arguments.data(), environ) == 0);
  }
  ~Victim() {
    if (process_ > 0) {
      kill(process_, SIGKILL);
      waitpid(process_, nullptr, 0);
    }
    munmap(stage_, sizeof(Stage));
  }
  Victim(const Victim&) = delete;
  Victim& operator=(const Victim&) = delete;

  // Stands still at such a point, once it has passed `more` others, and is killed there.
  Point kill_at(Point point, std::uint64_t more) {
    stage_->stop_after = stage_->passed + more;
    stage_->stop_at = static_cast<std::uint32_t>(point);
    wait_until([&] { return stage_->stands.load(); });
    return end();
  }
  // Is killed on the run, wherever it is by then.
  Point kill_after(std::uint64_t more) {
    const std::uint64_t enough = stage_->passed + more;
    wait_until([&] { return stage_->passed.load() >= enough; });
    return end();
  }

 private:
  template <class Condition>
  void wait_until(Condition condition) {
    while (!condition()) {
      int status = 0;
      if (waitpid(process_, &status, WNOHANG) == process_) {
        process_ = 0;
        FAIL("a worker ended by itself with status " << status);
      }
      sched_yield();
    }
  }
  Point end() {
    int status = 0;
    REQUIRE(kill(process_, SIGKILL) == 0);
    REQUIRE(waitpid(process_, &status, 0) == process_);
    process_ = 0;
    REQUIRE(WIFSIGNALED(status));
    REQUIRE(WTERMSIG(status) == SIGKILL);
    return static_cast<Point>(stage_->at.load());
  }

  pid_t process_ = 0;
  Stage* stage_ = nullptr;
};

// What a cluster does whose node has died: its shards get a new epoch, and its claims go stale and are re-armed.
void recover(Store& store, std::uint16_t node) {
  StoreTransaction transaction(store);
  for (const std::uint32_t shard : {0U + node, 2U + node}) {
    store.assign_shard(ShardId(shard), NodeId(node));
  }
  store.learn_ownership(NodeId(node));
  std::set<Fence> fences;
  for (const StoredRow& row : store.live_rows()) {
    CHECK((row.status == StoredStatus::claimed) == !row.fence.is_none());
    if (row.status == StoredStatus::claimed) {
      CHECK(fences.insert(row.fence).second);
      if (row.claimed_by == NodeId(node)) {
        store.mark_stale(row.key, row.fence);
      }
    }
  }
  store.rearm(NodeId(node));
  transaction.commit();
}

// The cluster takes a claim of a worker that lives for stale: its result has to be ignored.
void suspect(Store& store, std::uint16_t node) {
  StoreTransaction transaction(store);
  for (const StoredRow& row : store.live_rows()) {
    if (row.status == StoredStatus::claimed && row.claimed_by == NodeId(node)) {
      store.mark_stale(row.key, row.fence);
    }
  }
  store.rearm(NodeId(node));
  transaction.commit();
}

// Until no row is left; the results that were recorded, by ordinal.
std::vector<std::uint64_t> drain(Store& store) {
  std::vector<std::uint64_t> recorded;
  while (true) {
    recover(store, 0);
    recover(store, 1);
    StoreTransaction transaction(store);
    for (const StoredRow& row : store.live_rows()) {
      store.become_visible(row.key, kNow);
    }
    std::size_t claimed = 0;
    for (std::uint16_t node = 0; node < 2; ++node) {
      for (const RowChange& change :
           store.claim({.node = NodeId(node), .route = RouteId(0), .limit = 100'000, .at = kNow})) {
        ++claimed;
        if (store.complete(change.row.key, change.row.fence).outcome == Settled::recorded) {
          recorded.push_back(change.row.key.ordinal());
        }
      }
    }
    transaction.commit();
    if (claimed == 0) {
      return recorded;
    }
  }
}

}  // namespace

TEST_CASE("two hundred workers killed in the middle of their work lose nothing and double nothing", "[kill]") {
  const TestedPlace place;
  const WorkFolder folder;
  const std::unique_ptr<Store> store = place.open();
  store->reset(kill_setup());

  std::uint64_t next_ordinal = 1000;
  const auto hire = [&](std::uint16_t node) {
    next_ordinal += 100'000;
    return std::make_unique<Victim>(place.url(), node, next_ordinal, folder);
  };
  std::array<std::unique_ptr<Victim>, 2> victims{hire(0), hire(1)};
  std::array<int, kPoints> killed_at{};
  for (int round = 0; round < kKills; ++round) {
    const auto node = static_cast<std::uint16_t>(round % 2);
    const std::uint64_t more = 1 + stable_hash(std::uint64_t{2026}, static_cast<std::uint64_t>(round)) % 30;
    // Of every four rounds three end at a chosen point, each point in turn, and one wherever the worker is by then.
    const auto chosen = static_cast<Point>(static_cast<std::uint32_t>(round) % kPoints);
    const Point at = round % 4 == 3 ? victims[node]->kill_after(more) : victims[node]->kill_at(chosen, more);
    ++killed_at[static_cast<std::size_t>(at)];
    recover(*store, node);
    if (round % 3 == 0) {
      suspect(*store, static_cast<std::uint16_t>(1 - node));
    }
    victims[node] = hire(node);
  }
  for (auto& victim : victims) {
    victim->kill_after(1);
    victim.reset();
  }
  for (const int times : killed_at) {
    CHECK(times >= kKills / 20);
  }

  std::map<std::uint64_t, int> results;
  for (const std::uint64_t ordinal : drain(*store)) {
    ++results[ordinal];
  }
  std::set<std::uint64_t> appended;
  std::ifstream acks(folder.file("acks"));
  std::string what;
  for (std::uint64_t ordinal = 0; acks >> what >> ordinal;) {
    if (what == "a") {
      CHECK(appended.insert(ordinal).second);  // nobody is told twice that the same row is new
    } else {
      ++results[ordinal];
    }
  }

  // What is told was committed; what was committed may not have been told.
  std::set<std::uint64_t> there;
  StoreTransaction transaction(*store);
  for (const StoredRow& row : store->all_rows()) {
    const std::uint64_t ordinal = row.key.ordinal();
    INFO("row " << ordinal);
    there.insert(ordinal);
    CHECK((row.status == StoredStatus::done || row.status == StoredStatus::failed));
    CHECK(row.results == (row.status == StoredStatus::done ? 1 : 0));
    CHECK(results[ordinal] <= static_cast<int>(row.results));
  }
  for (const std::uint64_t ordinal : appended) {
    INFO("row " << ordinal << " was told to be there");
    CHECK(there.count(ordinal) == 1);
  }
  const RowCounts counts = store->counts().at(0);
  CHECK(counts.appended == there.size());
  CHECK(counts.done + counts.failed == counts.appended);
  CHECK(counts.results_recorded == counts.done);
  CHECK(counts.rearms > 0);
  CHECK(counts.stale_settlements > 0);
  CHECK(there.size() > kKills);
}

}  // namespace headroom::test
