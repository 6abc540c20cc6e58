// The charge ledger and a naive one carry out the same handovers, claims and completions, and are compared after every
// one; and what charging is for: the rows that run stay within the quota.
#include "model/backpressure/charge_ledger.hpp"

#include <fmt/format.h>
#include <numeric>

#include "tests/property/backpressure/naive_charges.hpp"
#include "tests/property/check.hpp"
#include "tests/property/commands.hpp"

namespace headroom::test {
namespace {

constexpr std::uint16_t kNodes = 3;
constexpr std::uint32_t kTenants = 2;

// One shard map, of which every tenant has charges of its own.
struct ChargeModel {
  std::vector<NaiveCharges> charges;                // by tenant
  std::vector<std::uint32_t> quotas;                // by tenant
  std::vector<std::vector<std::uint32_t>> started;  // by tenant and node: rows whose fence lives
  bool quotas_change = false;

  [[nodiscard]] std::uint32_t shards() const { return static_cast<std::uint32_t>(charges[0].owners().size()); }
};
using ChargeCommand = BothCommand<ChargeModel, ChargeLedger>;

void compare_tenant(const ChargeModel& model, const ChargeLedger& ledger, std::uint32_t tenant) {
  const NaiveCharges& naive = model.charges[tenant];
  const NamespaceId name(tenant);
  for (std::uint32_t node = 0; node < kNodes; ++node) {
    const NodeId id(static_cast<std::uint16_t>(node));
    RC_ASSERT(ledger.charged(name, id) == naive.charged(node));
    RC_ASSERT(ledger.owned_and_charged(name, id) == naive.owned_and_charged(node));
    RC_ASSERT(std::uint64_t{ledger.ceiling(name, id, model.quotas[tenant])} ==
              naive.ceiling(node, model.quotas[tenant]));
  }
  RC_ASSERT(ledger.charged_nodes(name) == naive.charged_nodes());
  std::vector<std::uint32_t> unsettled;
  for (const ChargeLedger::Unsettled& entry : ledger.unsettled_shards(name)) {
    unsettled.push_back(entry.shard.value());
    RC_ASSERT(std::uint32_t{entry.charged_to.value()} == naive.charged_to()[entry.shard.value()]);
  }
  RC_ASSERT(unsettled == naive.unsettled());
  RC_ASSERT(ledger.unsettled(name) == !unsettled.empty());
}

void compare(const ChargeModel& model, const ChargeLedger& ledger) {
  bool all_settled = true;
  for (std::uint32_t tenant = 0; tenant < kTenants; ++tenant) {
    compare_tenant(model, ledger, tenant);
    all_settled = all_settled && model.charges[tenant].unsettled().empty();
  }
  RC_ASSERT(ledger.all_settled() == all_settled);
  for (std::uint32_t shard = 0; shard < model.shards(); ++shard) {
    RC_ASSERT(std::uint32_t{ledger.owner(ShardId(shard)).value()} == model.charges[0].owners()[shard]);
  }
  for (std::uint32_t node = 0; node < kNodes; ++node) {
    RC_ASSERT(ledger.owned(NodeId(static_cast<std::uint16_t>(node))) ==
              std::uint32_t(std::ranges::count(model.charges[0].owners(), node)));
  }
}

// Has no precondition; a handover to the present owner is none.
class HandOver final : public ChargeCommand {
 public:
  explicit HandOver(const ChargeModel& model) : shard_(below(model.shards())), to_(below<std::uint32_t>(kNodes)) {}
  void show(std::ostream& out) const override { out << fmt::format("shard {} to node {}", shard_, to_); }

 private:
  void act(ChargeModel& model, ChargeLedger* ledger) const override {
    const std::uint32_t from = model.charges[0].owners()[shard_];
    if (from == to_) {
      return;
    }
    const NodeId to(static_cast<std::uint16_t>(to_));
    if (ledger != nullptr) {
      ledger->set_owner(ShardId(shard_), to);
    }
    for (std::uint32_t tenant = 0; tenant < kTenants; ++tenant) {
      const auto& started = model.started[tenant];
      if (ledger != nullptr && (ledger->unsettled(NamespaceId(tenant)) || started[from] > 0)) {
        ledger->hand_over(NamespaceId(tenant), ShardId(shard_), NodeId(static_cast<std::uint16_t>(from)), to,
                          model.quotas[tenant], started);
      }
      model.charges[tenant].hand_over(shard_, to_, model.quotas[tenant], started);
    }
  }
  std::uint32_t shard_;
  std::uint32_t to_;
};

// A node claims rows of a tenant, as many as its ceiling lets it, or fewer.
class Claim final : public ChargeCommand {
 public:
  explicit Claim(const ChargeModel& model) : tenant_(below(kTenants)), node_(below<std::uint32_t>(kNodes)) {
    checkPreconditions(model);
    all_ = below(2) == 0;
  }
  void checkPreconditions(const ChargeModel& model) const override { RC_PRE(headroom(model) > 0); }
  void show(std::ostream& out) const override {
    out << fmt::format("node {} claims {} of tenant {}", node_, all_ ? "all that it may" : "a row", tenant_);
  }

 private:
  [[nodiscard]] std::uint32_t headroom(const ChargeModel& model) const {
    const std::uint64_t ceiling = model.charges[tenant_].ceiling(node_, model.quotas[tenant_]);
    const std::uint32_t started = model.started[tenant_][node_];
    return started < ceiling ? static_cast<std::uint32_t>(ceiling - started) : 0;
  }
  void act(ChargeModel& model, ChargeLedger* ledger) const override {
    const std::uint32_t rows = all_ ? headroom(model) : 1;
    model.started[tenant_][node_] += rows;
    if (ledger != nullptr) {  // it may not, by the ledger's ceiling
      const NodeId node(static_cast<std::uint16_t>(node_));
      RC_ASSERT(model.started[tenant_][node_] <= ledger->ceiling(NamespaceId(tenant_), node, model.quotas[tenant_]));
    }
  }
  std::uint32_t tenant_;
  std::uint32_t node_;
  bool all_ = true;
};

// A row that a node has started completes, or is re-armed.
class End final : public ChargeCommand {
 public:
  explicit End(const ChargeModel& model) : tenant_(below(kTenants)), node_(below<std::uint32_t>(kNodes)) {
    checkPreconditions(model);
  }
  void checkPreconditions(const ChargeModel& model) const override { RC_PRE(model.started[tenant_][node_] > 0); }
  void show(std::ostream& out) const override {
    out << fmt::format("a row of tenant {} ends on node {}", tenant_, node_);
  }

 private:
  void act(ChargeModel& model, ChargeLedger* ledger) const override {
    std::vector<std::uint32_t>& started = model.started[tenant_];
    --started[node_];
    NaiveCharges& charges = model.charges[tenant_];
    const std::vector<std::uint32_t> before = charges.charged_to();
    charges.settle(model.quotas[tenant_], started);
    if (ledger != nullptr) {
      const bool moved = ledger->settle(NamespaceId(tenant_), model.quotas[tenant_], started);
      RC_ASSERT(moved == (charges.charged_to() != before));
    }
  }
  std::uint32_t tenant_;
  std::uint32_t node_;
};

class ChangeQuota final : public ChargeCommand {
 public:
  explicit ChangeQuota(const ChargeModel& model) : tenant_(below(kTenants)), quota_(below(12U)) {
    checkPreconditions(model);
  }
  void checkPreconditions(const ChargeModel& model) const override { RC_PRE(model.quotas_change); }
  void show(std::ostream& out) const override { out << fmt::format("quota of tenant {} is {}", tenant_, quota_); }

 private:
  void act(ChargeModel& model, ChargeLedger* ledger) const override {
    model.quotas[tenant_] = quota_;
    model.charges[tenant_].settle(quota_, model.started[tenant_]);
    if (ledger != nullptr) {
      (void)ledger->settle(NamespaceId(tenant_), quota_, model.started[tenant_]);
    }
  }
  std::uint32_t tenant_;
  std::uint32_t quota_;
};

ChargeModel any_model(bool settled, bool quotas_change) {
  std::vector<std::uint32_t> owners(1 + below(8U));
  for (std::uint32_t& owner : owners) {
    owner = below<std::uint32_t>(kNodes);
  }
  ChargeModel model{.charges = {kTenants, NaiveCharges(settled, owners)},
                    .quotas = {},
                    .started = {kTenants, std::vector<std::uint32_t>(kNodes, 0)},
                    .quotas_change = quotas_change};
  for (std::uint32_t i = 0; i < kTenants; ++i) {
    model.quotas.push_back(below(12U));
  }
  return model;
}

ChargeLedger ledger_of(const ChargeModel& model, CeilingGrowth growth) {
  std::vector<NodeId> owners;
  for (const std::uint32_t owner : model.charges[0].owners()) {
    owners.push_back(NodeId(static_cast<std::uint16_t>(owner)));
  }
  return ChargeLedger(growth, kTenants, kNodes, owners);
}

void walk_both(CeilingGrowth growth) {
  const ChargeModel model = any_model(growth == CeilingGrowth::settled, true);
  walk<HandOver, HandOver, HandOver, Claim, Claim, Claim, End, End, ChangeQuota>(model, ledger_of(model, growth));
}

TEST_CASE("a charge ledger charges every shard as the rule taken literally does", "[property]") {
  check_property("charges.against_naive.settled", [] { walk_both(CeilingGrowth::settled); });
  check_property("charges.against_naive.immediate", [] { walk_both(CeilingGrowth::immediate); });
}

// ---- what it is for, with quotas that stay

// The ledger alone: what it lets nodes start.
struct Bounded {
  ChargeLedger ledger;
};
void compare(const ChargeModel& model, const Bounded& sut) {
  for (std::uint32_t tenant = 0; tenant < kTenants; ++tenant) {
    const NamespaceId name(tenant);
    const std::uint64_t quota = model.quotas[tenant];
    std::uint64_t shards = 0;
    std::uint64_t running = 0;
    for (std::uint16_t node = 0; node < kNodes; ++node) {
      const std::uint64_t started = model.started[tenant][node];
      const std::uint64_t charged = sut.ledger.charged(name, NodeId(node));
      // started <= ceil(quota * charged / shards), without a division
      RC_ASSERT((started == 0 || (started - 1) * model.shards() < quota * charged));
      shards += charged;
      running += started;
    }
    RC_ASSERT(shards == model.shards());  // each is charged to exactly one node
    RC_ASSERT(running + 1 <= quota + std::max(1U, sut.ledger.charged_nodes(name)));
  }
}

// The same commands, by the ledger's own ceilings.
template <class Inner>
class Within final : public BothCommand<ChargeModel, Bounded> {
 public:
  explicit Within(const ChargeModel& model) : inner_(model) {}
  void checkPreconditions(const ChargeModel& model) const override { inner_.checkPreconditions(model); }
  void show(std::ostream& out) const override { inner_.show(out); }

 private:
  void act(ChargeModel& model, Bounded* sut) const override {
    if (sut != nullptr) {
      inner_.run(model, sut->ledger);
    }
    inner_.apply(model);
  }
  Inner inner_;
};

void keep_the_quota(CeilingGrowth growth) {
  const ChargeModel model = any_model(growth == CeilingGrowth::settled, false);
  walk<Within<HandOver>, Within<HandOver>, Within<Claim>, Within<Claim>, Within<End>>(
      model, Bounded{ledger_of(model, growth)});
}

TEST_CASE("what nodes start within their ceilings fits into the quota, but for the rounding", "[property]") {
  check_property("charges.bound.settled", [] { keep_the_quota(CeilingGrowth::settled); });
  check_broken("charges.bound.immediate", [] { keep_the_quota(CeilingGrowth::immediate); });
}

}  // namespace
}  // namespace headroom::test
