// readiness (spec 1.4, 2.4): a process is not ready above the high mark, ready below the low one, and as before in
// between; while it drains or is down it is not ready. Depth and ages of waiters are counted here from the effects.
#include <array>
#include <fmt/format.h>

#include "model/properties/gate_mirror.hpp"
#include "model/properties/properties.hpp"

namespace headroom {
namespace {

class Readiness final : public Property {
 public:
  explicit Readiness(const Cluster& cluster) {
    if (cluster.api() != nullptr) {
      marks_ = cluster.config().admission->gate.readiness;
      processes_.resize(cluster.api()->processes());
      for (std::uint16_t i = 0; i < cluster.api()->processes(); ++i) {
        processes_[i].up = cluster.api()->up(ProcessId(i));  // its node may join later
        processes_[i].reported = processes_[i].up;
      }
    }
  }

  [[nodiscard]] std::string_view name() const override { return "readiness"; }
  [[nodiscard]] std::span<const EffectKind> watches() const override { return kWatched; }

  void on(const Effect& effect, const Cluster& cluster, Time at) override {
    Process& process = processes_[effect.process.value()];
    if (touched_.empty() || touched_.back() != effect.process) {
      touched_.push_back(effect.process);
    }
    switch (effect.kind) {
      case EffectKind::request_queued:
        age_of(effect.request) = 0;
        ++process.waiters.depth;
        break;
      case EffectKind::request_aged:
        ++(++age_of(effect.request) == 1 ? process.waiters.lagging : process.waiters.too_old);
        break;
      case EffectKind::request_admitted:
        if (!effect.live) {
          leave(process, effect.request);
        }
        break;
      case EffectKind::request_refused:
        if (effect.live) {
          leave(process, effect.request);
        }
        break;
      case EffectKind::request_gone:
        leave(process, effect.request);
        break;
      case EffectKind::drain_began:
      case EffectKind::drain_ended:
        process.draining = effect.kind == EffectKind::drain_began;
        break;
      case EffectKind::process_down:
        process.up = false;
        break;
      case EffectKind::process_up:
        static_cast<ReadinessAtGate&>(process) = {};
        break;
      default:
        note_report(process, effect, cluster, at);
        break;
    }
  }

  void after_step(const Cluster& cluster, Time at) override {
    for (const ProcessId id : touched_) {
      Process& process = processes_[id.value()];
      process.calm = calm_after(marks_, process.waiters, process.calm);
      const bool answers = process.up && cluster.api()->gate(id).ready();
      if (auto wrong = wrong_readiness(process, process.reported, answers)) {
        violate(at, [&] { return process_name(cluster, id) + ": " + *wrong; });
      }
    }
    touched_.clear();
  }

  [[nodiscard]] PropertyOutcome outcome() const override {
    PropertyOutcome outcome = first();
    outcome.value = static_cast<double>(changes_);
    if (!violated()) {
      outcome.held = marks_ && !processes_.empty() ? Held::yes : Held::undefined;
      outcome.reason =
          marks_ ? fmt::format("ready below the low marks only until above the high ones; {} changes", changes_)
                 : "there are no readiness marks";
    }
    return outcome;
  }

 private:
  struct Process : ReadinessAtGate {
    bool reported = true;
  };
  static constexpr std::array kWatched{
      EffectKind::request_admitted, EffectKind::request_queued, EffectKind::request_aged,   EffectKind::request_refused,
      EffectKind::request_gone,     EffectKind::became_ready,   EffectKind::became_unready, EffectKind::drain_began,
      EffectKind::drain_ended,      EffectKind::process_down,   EffectKind::process_up};

  std::uint8_t& age_of(RequestId id) {
    if (id.value() >= ages_.size()) {
      ages_.resize(id.value() + 1);
    }
    return ages_[id.value()];
  }
  void leave(Process& process, RequestId id) {
    const std::uint8_t age = age_of(id);
    --process.waiters.depth;
    process.waiters.lagging -= age >= 1 ? 1 : 0;
    process.waiters.too_old -= age >= 2 ? 1 : 0;
  }

  void note_report(Process& process, const Effect& effect, const Cluster& cluster, Time at) {
    const bool ready = effect.kind == EffectKind::became_ready;
    ++changes_;
    if (process.reported == ready) {
      violate(at, [&] {
        return fmt::format("{}: became {} a second time", process_name(cluster, effect.process),
                           ready ? "ready" : "not ready");
      });
    }
    process.reported = ready;
  }

  std::optional<ReadinessMarks> marks_;
  std::vector<Process> processes_;
  std::vector<std::uint8_t> ages_;  // by request: how many age marks it has passed
  std::vector<ProcessId> touched_;
  std::uint64_t changes_ = 0;
};

}  // namespace

std::unique_ptr<Property> make_readiness(const Cluster& cluster, const PropertyBounds& /*bounds*/) {
  return std::make_unique<Readiness>(cluster);
}

}  // namespace headroom
