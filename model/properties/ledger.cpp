// ledger (spec 2.4): appended = pending + claimed + done + failed + cancelled, and arrived = running + waiting +
// finished + refused 429 + refused 503 + gone, per tenant and in all, after every step. The right-hand sides are
// counted here from the effects and must equal the counters of the outbox and of the gates, and the rows and requests
// that are there; so must what the nodes count as started, since headroom hangs on it.
#include <array>
#include <fmt/format.h>

#include "model/properties/gate_rules.hpp"
#include "model/properties/properties.hpp"
#include "model/properties/row_books.hpp"

namespace headroom {
namespace {

class Ledger final : public Property {
 public:
  explicit Ledger(const Cluster& cluster) : rows_(cluster.namespaces()), requests_(cluster.namespaces()) {}

  [[nodiscard]] std::string_view name() const override { return "ledger"; }
  [[nodiscard]] std::span<const EffectKind> watches() const override { return kWatched; }

  void on(const Effect& effect, const Cluster& /*cluster*/, Time /*at*/) override {
    if (effect.request.is_none()) {
      count_row(effect, rows_[effect.name.value()]);
      rows_touched_.push_back(effect.name);
    } else {
      count_request(effect);
      requests_touched_.push_back(effect.name);
    }
  }

  void after_step(const Cluster& cluster, Time at) override {
    for (const NamespaceId name : rows_touched_) {
      check_rows(name, cluster, at);
    }
    for (const NamespaceId name : requests_touched_) {
      check_requests(name, cluster, at);
    }
    if (!requests_touched_.empty() && inside_ != cluster.api()->requests().inside_count()) {
      violate(at, [&] {
        return fmt::format("in all: running + waiting = {}, but {} requests are inside", inside_,
                           cluster.api()->requests().inside_count());
      });
    }
    rows_touched_.clear();
    requests_touched_.clear();
  }

  void finish(const Cluster& cluster, Time at) override {
    std::uint64_t open = 0;
    for (std::uint32_t name = 0; name < cluster.namespaces(); ++name) {
      const RowCounts& counts = cluster.outbox().counts(NamespaceId(name));
      open += counts.pending + counts.claimed;
    }
    if (open != cluster.outbox().live_rows()) {
      violate(at, [&] {
        return fmt::format("in all: pending + claimed = {}, but {} rows are live", open, cluster.outbox().live_rows());
      });
    }
  }

  [[nodiscard]] PropertyOutcome outcome() const override {
    PropertyOutcome outcome = first();
    if (!violated()) {
      outcome.reason =
          "appended = pending + claimed + done + failed + cancelled, and arrived = running + waiting + finished + "
          "refused + gone, after every step";
    }
    return outcome;
  }

 private:
  static constexpr std::array kWatched{
      EffectKind::appended,         EffectKind::claimed,        EffectKind::retried,         EffectKind::rearmed,
      EffectKind::released,         EffectKind::recorded,       EffectKind::dead_lettered,   EffectKind::cancelled,
      EffectKind::request_admitted, EffectKind::request_queued, EffectKind::request_refused, EffectKind::request_gone,
      EffectKind::request_finished};

  // A request arrives when it starts at once, begins to wait, or is refused without having waited.
  void count_request(const Effect& effect) {
    RequestCounts& counts = requests_[effect.name.value()];
    const std::uint64_t before = counts.running + counts.waiting;
    headroom::count_request(effect, counts);
    inside_ += counts.running + counts.waiting - before;
  }

  void check_rows(NamespaceId name, const Cluster& cluster, Time at) {
    const RowCounts& is = cluster.outbox().counts(name);
    const RowCounts& want = rows_[name.value()];
    if (!books_agree(is, want)) {
      violate(at, [&] { return text_of_books(is, want, cluster, name); });
    }
    if (std::optional<std::string> wrong = wrong_holdings(cluster, name)) {
      violate(at, [&] { return *std::move(wrong); });
    }
  }

  void check_requests(NamespaceId name, const Cluster& cluster, Time at) {
    const RequestCounts& is = cluster.api()->counts(name);
    const RequestCounts& want = requests_[name.value()];
    if (std::optional<std::string> wrong = wrong_ledger(is, want)) {
      violate(at, [&] { return fmt::format("tenant {}: {}", cluster.layout().config(name).name, *wrong); });
    }
  }

  std::vector<RowCounts> rows_;
  std::vector<RequestCounts> requests_;
  std::uint64_t inside_ = 0;  // requests
  std::vector<NamespaceId> rows_touched_;
  std::vector<NamespaceId> requests_touched_;
};

}  // namespace

std::unique_ptr<Property> make_ledger(const Cluster& cluster, const PropertyBounds& /*bounds*/) {
  return std::make_unique<Ledger>(cluster);
}

}  // namespace headroom
