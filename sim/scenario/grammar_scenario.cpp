// Expectations and the scenario as a whole.
#include "model/properties/property.hpp"
#include "sim/scenario/grammar.hpp"
#include "sim/scenario/object_rule.hpp"

namespace headroom {
namespace {

void add_bound(ObjectRule<PropertyExpectation>& object, const BoundInfo& bound) {
  const std::string name(bound.name);
  const auto set_decimal = [name](PropertyExpectation& into, Decimal value) { into.bounds[name] = value; };
  switch (bound.kind) {
    case BoundKind::whole:
      object.key_into(
          name, whole<std::uint64_t>(0, 1'000'000'000'000),
          [name](PropertyExpectation& into, std::uint64_t value) {
            into.whole_bounds[name] = static_cast<std::int64_t>(value);
          },
          bound.summary);
      return;
    case BoundKind::index:
      object.key_into(name, decimal(Decimal{0}, Decimal::whole(1)), set_decimal, bound.summary);
      return;
    case BoundKind::milliseconds:
      object.key_into(name, decimal(Decimal{0}, Decimal::whole(1'000'000'000)), set_decimal, bound.summary);
      return;
  }
}

ObjectRule<PropertyExpectation> property_object(const PropertyInfo& property) {
  ObjectRule<PropertyExpectation> object(PropertyExpectation{std::string(property.name), false, {}, {}});
  object.key("broken", &PropertyExpectation::broken, flag(), "passes when the property is violated");
  for (const BoundInfo& bound : property.bounds) {
    add_bound(object, bound);
  }
  if (property.needs_bound) {
    object.check([property](const PropertyExpectation& expectation, Reading& reading) {
      if (expectation.bounds.empty() && expectation.whole_bounds.empty()) {
        const auto step = reading.enter(property.bounds.front().name);
        reading.fault("is missing", in_quotes(property.name) + " needs a bound to be held against");
      }
    });
  }
  return object;
}

Rule<Expectation> property_rule() {
  KindRule<Expectation> kinds("an expected property", "property");
  for (const PropertyInfo& property : all_properties()) {
    kinds.add(property.name, property.summary, property_object(property));
  }
  for (const OtherProperty& other : properties_not_of_a_run()) {
    kinds.refuse(other.name, other.why);
  }
  return kinds.rule();
}

// RFC 6901: steps that begin with "/", with "~" only in "~0" and "~1".
bool is_json_pointer(const std::string& pointer) {
  if (pointer.size() < 2 || pointer.front() != '/') {
    return false;
  }
  for (std::size_t i = pointer.find('~'); i != std::string::npos; i = pointer.find('~', i + 1)) {
    if (i + 1 == pointer.size() || (pointer[i + 1] != '0' && pointer[i + 1] != '1')) {
      return false;
    }
  }
  return true;
}

// Any number that a report may be held against; reported figures are floating point themselves.
Rule<double> figure() {
  const Decimal most = Decimal::whole(9'000'000'000);
  Rule<double> rule = mapped<double>(decimal(Decimal{-most.billionths}, most),
                                     [](Decimal value, Reading&) { return value.to_double(); });
  return rule;
}

Rule<Expectation> metric_rule() {
  ObjectRule<MetricExpectation> object;
  object.required("metric", &MetricExpectation::metric, text(1, 4096), "JSON pointer into result.json");
  object.key("at_least", &MetricExpectation::at_least, figure(), "smallest value that passes");
  object.key("at_most", &MetricExpectation::at_most, figure(), "largest value that passes");
  object.check([](const MetricExpectation& expectation, Reading& reading) {
    if (!is_json_pointer(expectation.metric)) {
      const auto step = reading.enter("metric");
      reading.fault(in_quotes(expectation.metric) + " is not a JSON pointer", "such as \"/tenants/a/wait_ms/p99\"");
    }
    if (!expectation.at_least && !expectation.at_most) {
      const auto step = reading.enter("at_most");
      reading.fault("is missing", "\"at_least\", \"at_most\", or both");
    } else if (expectation.at_least && expectation.at_most && *expectation.at_least > *expectation.at_most) {
      const auto step = reading.enter("at_least");
      reading.fault("is above \"at_most\"", "no value can be both");
    }
  });
  return mapped<Expectation>(object.rule(), [](MetricExpectation value, Reading&) -> Expectation { return value; });
}

Rule<Expectation> sometimes_rule() {
  std::vector<NamedValue> names;
  for (const GoalName& goal : goal_names()) {
    names.push_back({goal.name, goal.summary});
  }
  Rule<std::string> goal;
  goal.expected = names_in_words(names);
  goal.schema = names_schema(names);
  goal.read = [names, expected = goal.expected](const JsonNode& node, Reading& reading) -> std::optional<std::string> {
    const auto index = read_name(node, names, {}, expected, reading);
    return index ? std::optional<std::string>(names[*index].name) : std::nullopt;
  };
  ObjectRule<SometimesExpectation> object;
  object.required("sometimes", &SometimesExpectation::goal, goal, "what must have been reached");
  return mapped<Expectation>(object.rule(), [](SometimesExpectation value, Reading&) -> Expectation { return value; });
}

Rule<Expectation> make_expectation_rule() {
  const std::vector<std::pair<std::string_view, Rule<Expectation>>> forms = {
      {"property", property_rule()}, {"metric", metric_rule()}, {"sometimes", sometimes_rule()}};
  Rule<Expectation> rule;
  rule.expected = "an object with one of the keys \"property\", \"metric\" and \"sometimes\"";
  std::vector<JsonNode> schemas;
  schemas.reserve(forms.size());
  for (const auto& [key, form] : forms) {
    schemas.push_back(form.schema);
  }
  rule.schema = json_object({{"oneOf", json_list(std::move(schemas))}});
  rule.read = [forms, expected = rule.expected](const JsonNode& node, Reading& reading) -> std::optional<Expectation> {
    const Rule<Expectation>* chosen = nullptr;
    int present = 0;
    for (const auto& [key, form] : forms) {
      if (node.object() != nullptr && find_member(*node.object(), key) != nullptr) {
        chosen = &form;
        ++present;
      }
    }
    return present == 1 ? chosen->read(node, reading) : not_expected(node, expected, reading);
  };
  return rule;
}

Rule<Scenario> make_scenario_rule() {
  ObjectRule<Scenario> object;
  object.required_into("schema", whole<std::uint32_t>(1, 1), [](Scenario&, std::uint32_t) {}, "version of this format");
  object.required("name", &Scenario::name, text(1, 255), "name of the scenario");
  object.key("description", &Scenario::description, text(0, 65536), "what it shows");
  object.key("seed", &Scenario::seed, whole<std::uint64_t>(0, ~0ULL), "of every random stream");
  object.required("duration", &Scenario::duration, duration(Duration::nanoseconds(1)),
                  "warm-up and measurement; then arrivals stop");
  object.key("warmup", &Scenario::warmup, duration(), "not measured");
  object.key("drain", &Scenario::drain, duration(), "longest time for what is left to finish");
  object.key("window", &Scenario::window, duration(Duration::nanoseconds(1)), "of figures over time");
  object.key("tie_break", &Scenario::tie_break, choice<TieBreak>(), "order of simultaneous events");
  object.required("cluster", &Scenario::cluster, cluster_rule(), "nodes, shards and dispatchers");
  object.key("outbox", &Scenario::outbox, outbox_rule(), "the life of a row");
  object.key("backpressure", &Scenario::backpressure, backpressure_rule(), "the planner of the sweeps");
  object.key("admission", &Scenario::admission, admission_rule(), "the gate of each API process, and what it protects");
  object.required("tenants", &Scenario::tenants, list(tenant_rule(), 1, kMaxTenants), "who sends rows and requests");
  object.key("latency_shifts", &Scenario::latency_shifts, list(latency_shift_rule(), 0, kMaxListed),
             "when things take longer");
  object.key("faults", &Scenario::faults, list(fault_rule(), 0, kMaxListed), "what goes wrong");
  object.key("expect", &Scenario::expect, list(expectation_rule(), 0, 10'000), "what decides the verdict");
  object.key("check", &Scenario::check, check_rule(), "the scope of `headroom check`");
  object.key("swarm", &Scenario::swarm, flag(), "whether the seed draws which of the faults exist, and how strong");
  return object.rule();
}

}  // namespace

const Rule<Expectation>& expectation_rule() {
  static const Rule<Expectation> rule = defined_as("expectation", make_expectation_rule());
  return rule;
}

const Rule<Scenario>& scenario_rule() {
  static const Rule<Scenario> rule = make_scenario_rule();
  return rule;
}

}  // namespace headroom
