// When things take longer: latency shifts.
#include "sim/scenario/grammar.hpp"
#include "sim/scenario/object_rule.hpp"

namespace headroom {
namespace {

constexpr Duration kShortest = Duration::nanoseconds(1);

struct Target {
  ShiftTarget kind = ShiftTarget::tenant;
  std::string name;
};

Rule<Target> target_rule() {
  const auto named = [](ShiftTarget kind, const Rule<std::string>& name) {
    return mapped<Target>(name, [kind](std::string value, Reading&) { return Target{kind, std::move(value)}; });
  };
  const Rule<std::string> node = mapped<std::string>(node_name(), [](NodeId id, Reading&) { return name_of_node(id); });
  const Rule<Target> part = one_key<Target>(R"(an object with one key, such as {"tenant": "noisy"})",
                                            {{name_of(ShiftTarget::tenant), named(ShiftTarget::tenant, text(1, 255))},
                                             {name_of(ShiftTarget::route), named(ShiftTarget::route, text(1, 255))},
                                             {name_of(ShiftTarget::node), named(ShiftTarget::node, node)}});
  std::vector<std::pair<std::string_view, Target>> shared;
  for (const ShiftTarget kind : {ShiftTarget::store, ShiftTarget::database_pool, ShiftTarget::downstream}) {
    shared.push_back({name_of(kind), Target{kind, {}}});
  }
  return text_or(words(shared), part);
}

// The keys of every shape; each shape knows some of them.
struct ShiftKeys {
  Target on;
  Decimal factor = Decimal::whole(1);
  Time at = Time::zero();
  Duration over;
  Duration duration;
  Duration every;
};

ObjectRule<ShiftKeys> common_shift_keys() {
  ObjectRule<ShiftKeys> object;
  object.required("on", &ShiftKeys::on, target_rule(), "what slows down");
  object.required("factor", &ShiftKeys::factor, decimal(Decimal{0}, Decimal::whole(1'000'000), true),
                  "by how much longer things take");
  return object;
}

void require_at(ObjectRule<ShiftKeys>& object) {
  object.required("at", &ShiftKeys::at, instant(), "when it begins");
}
void require_for(ObjectRule<ShiftKeys>& object, std::string_view summary) {
  object.required("for", &ShiftKeys::duration, duration(kShortest), summary);
}

template <class MakeShape>
auto to_shift(MakeShape make_shape) {
  return [make_shape](ShiftKeys keys, Reading&) {
    return LatencyShift{keys.on.kind, std::move(keys.on.name), keys.factor, keys.at, make_shape(keys)};
  };
}

Rule<LatencyShift> make_latency_shift_rule() {
  KindRule<LatencyShift> kinds("a latency shift", "kind");

  ObjectRule<ShiftKeys> step = common_shift_keys();
  require_at(step);
  require_for(step, "how long it lasts");
  kinds.add("step", "the factor for a while", step,
            to_shift([](const ShiftKeys& keys) -> ShiftShape { return StepShift{keys.duration}; }));

  ObjectRule<ShiftKeys> ramp = common_shift_keys();
  require_at(ramp);
  ramp.required("over", &ShiftKeys::over, duration(kShortest), "how long it grows");
  require_for(ramp, "how long it stays after that");
  kinds.add("ramp", "grows evenly to the factor, then stays", ramp,
            to_shift([](const ShiftKeys& keys) -> ShiftShape { return RampShift{keys.over, keys.duration}; }));

  ObjectRule<ShiftKeys> spike = common_shift_keys();
  require_at(spike);
  require_for(spike, "how long it takes to fall back");
  kinds.add("spike", "jumps to the factor and falls evenly back", spike,
            to_shift([](const ShiftKeys& keys) -> ShiftShape { return SpikeShift{keys.duration}; }));

  ObjectRule<ShiftKeys> periodic = common_shift_keys();
  periodic.key("at", &ShiftKeys::at, instant(), "when it begins");
  periodic.required("every", &ShiftKeys::every, duration(kShortest), "from one beginning to the next");
  require_for(periodic, "how long it lasts each time");
  periodic.check([](const ShiftKeys& keys, Reading& reading) {
    if (keys.duration > keys.every) {
      const auto step_in = reading.enter("for");
      reading.fault(format_duration(keys.duration) + " is longer than \"every\"",
                    "at most " + format_duration(keys.every));
    }
  });
  kinds.add("periodic", "the factor for a while, again and again", periodic,
            to_shift([](const ShiftKeys& keys) -> ShiftShape { return PeriodicShift{keys.every, keys.duration}; }));
  return kinds.rule();
}

}  // namespace

const Rule<LatencyShift>& latency_shift_rule() {
  static const Rule<LatencyShift> rule = defined_as("latency_shift", make_latency_shift_rule());
  return rule;
}

}  // namespace headroom
