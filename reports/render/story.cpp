#include "reports/render/story.hpp"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <optional>
#include <utility>

#include "reports/render/gate_wording.hpp"
#include "reports/render/ranking.hpp"
#include "reports/render/wording.hpp"

namespace headroom {
namespace {

using Column = std::vector<std::int64_t>;

const SubjectSeries* series_of(const RunResult& result, const std::string& name) {
  const auto found = std::ranges::find(result.series.subjects, name, &SubjectSeries::name);
  return found == result.series.subjects.end() ? nullptr : &*found;
}

// Windows [first, last] of the measured part around the worst one.
struct Stretch {
  std::size_t first = 0;
  std::size_t last = 0;
  std::size_t worst = 0;
  std::size_t others = 0;  // further stretches that are at least half as bad
};

std::optional<Stretch> worst_stretch(const Column& values, const RunResult& result) {
  const std::int64_t window = result.series.window.count();
  const auto warm = static_cast<std::size_t>((result.warmup.count() + window - 1) / window);
  const auto begin = values.begin() + static_cast<std::ptrdiff_t>(std::min(warm, values.size()));
  const auto worst = std::max_element(begin, values.end());
  if (worst == values.end() || *worst <= 0) {
    return std::nullopt;
  }
  Stretch stretch;
  stretch.worst = static_cast<std::size_t>(worst - values.begin());
  bool inside = false;
  std::size_t stretches = 0;
  for (auto i = static_cast<std::size_t>(begin - values.begin()); i < values.size(); ++i) {
    const bool bad = values[i] * 2 >= *worst;
    if (bad && !inside) {
      ++stretches;
      stretch.first = i <= stretch.worst ? i : stretch.first;
    }
    if (bad && i >= stretch.worst && (i == stretch.worst || stretch.last + 1 == i)) {
      stretch.last = i;
    }
    inside = bad;
  }
  stretch.others = stretches - 1;
  return stretch;
}

Time start_of(std::size_t window, const RunResult& result) {
  return Time::at(Duration::nanoseconds(result.series.window.count() * static_cast<std::int64_t>(window)));
}
Time end_of(const Stretch& stretch, const RunResult& result) {
  return std::min(start_of(stretch.last + 1, result), Time::at(result.duration));
}

// " from 60 s to 71 s (1 more such stretch)", and what was planned to go wrong then.
std::string when(const Stretch& stretch, const RunResult& result) {
  const Time from = start_of(stretch.first, result);
  const Time until = end_of(stretch, result);
  std::string text =
      fmt::format(" from {} to {}", worded_duration(from.since_start()), worded_duration(until.since_start()));
  if (stretch.others > 0) {
    text += fmt::format(" (and in {} more stretch{})", stretch.others, stretch.others == 1 ? "" : "es");
  }
  for (const Mark& mark : result.marks) {
    const bool then = mark.until > mark.at ? mark.at < until && mark.until > from : mark.at >= from && mark.at < until;
    if (then) {
      return text + fmt::format(", during \"{}\" ({})", mark.label,
                                mark.until > mark.at ? fmt::format("{} to {}", worded_duration(mark.at.since_start()),
                                                                   worded_duration(mark.until.since_start()))
                                                     : "at " + worded_duration(mark.at.since_start()));
    }
  }
  return text;
}

std::int64_t sum(const Column& values, const Stretch& stretch) {
  std::int64_t total = 0;
  for (std::size_t i = stretch.first; i <= stretch.last && i < values.size(); ++i) {
    total += values[i];
  }
  return total;
}

// Who got the most in that stretch, where that was somebody else.
std::string beneficiary(const std::string& name, const Stretch& stretch, const RunResult& result,
                        Column SubjectSeries::* got, std::string_view what) {
  std::int64_t all = 0;
  std::int64_t most = 0;
  const SubjectSeries* winner = nullptr;
  for (const SubjectSeries& subject : result.series.subjects) {
    const std::int64_t mine = sum(subject.*got, stretch);
    all += mine;
    if (mine > most) {
      most = mine;
      winner = &subject;
    }
  }
  if (winner == nullptr || winner->name == name) {
    return "";
  }
  std::int64_t backlog = 0;
  for (std::size_t i = stretch.first; i <= stretch.last; ++i) {
    backlog = std::max(backlog, winner->pending[i] + winner->claimed[i]);
  }
  return fmt::format(" Then {} got {:.0f}% of all {}, with up to {} rows pending or claimed.", winner->name,
                     static_cast<double>(most) / static_cast<double>(all) * 100, what,
                     worded_count(static_cast<std::uint64_t>(backlog)));
}

// The longest cause of waiting, executing left out.
std::string why_rows_waited(const TenantFigures& figures) {
  Int128 total = 0;
  std::pair<std::string_view, Int128> longest;
  for (const auto& [cause, nanoseconds] : figures.wait_causes) {
    if (cause != "executing") {
      total += nanoseconds;
      if (nanoseconds > longest.second) {
        longest = {cause, nanoseconds};
      }
    }
  }
  if (total == 0) {
    return "";
  }
  const auto percent = [total](Int128 part) { return static_cast<double>(part) / static_cast<double>(total) * 100; };
  std::string text = fmt::format(" {:.0f}% of the waiting was {}: {}.", percent(longest.second), longest.first,
                                 meaning_of_cause(longest.first));
  Int128 scheduler = 0;
  for (const std::string_view cause : {"batch_budget", "lost_in_order"}) {
    const auto found = figures.wait_causes.find(std::string(cause));
    scheduler += found == figures.wait_causes.end() ? 0 : found->second;
  }
  if (scheduler > 0 && longest.first != "batch_budget" && longest.first != "lost_in_order") {
    return text + fmt::format(" {:.1f}% was the scheduler's doing.", percent(scheduler));
  }
  // Who waits for a worker may well wait for the work of others.
  const bool blameless = scheduler == 0 && longest.first != "claimed_waiting";
  return blameless ? text + " None of it was the scheduler's doing." : text;
}

// How much of it is due to the noisy tenant.
std::string beside_its_twin(const TenantFigures& figures) {
  if (!figures.noise) {
    return "";
  }
  const NoiseAmplification& noise = *figures.noise;
  std::string text = fmt::format(" Without {} its p99 would have been {} ms", noise.without,
                                 worded_milliseconds(noise.twin_p99.count()));
  if (noise.ratio) {
    text += fmt::format(": the noise made it {:.3g} times as long", *noise.ratio);
  }
  if (noise.success_difference < 0) {
    text += fmt::format(", and cost {:.3g} of 100 requests", -noise.success_difference * 100);
  }
  return text + ".";
}

std::string how_long(const TenantFigures& figures) {
  std::string text;
  if (figures.wait.count > 0) {
    text = fmt::format("Its rows waited {} ms at the median, {} ms at p99 and up to {} ms ({} starts).",
                       worded_milliseconds(figures.wait.p50), worded_milliseconds(figures.wait.p99),
                       worded_milliseconds(figures.wait.max), worded_count(figures.wait.count));
  } else if (figures.oldest_unclaimed > Duration::zero()) {
    text = "It was never served in the measured part.";
  } else {
    return "None of its rows waited.";
  }
  if (figures.oldest_unclaimed.count() > figures.wait.p99) {
    text += fmt::format(" Its oldest unclaimed row is {} old.", worded_duration(figures.oldest_unclaimed));
  }
  if (figures.longest_starvation.sweeps > 0) {
    text +=
        fmt::format(" At worst it was passed over in {} sweeps on end, {}.",
                    worded_count(figures.longest_starvation.sweeps), worded_duration(figures.longest_starvation.time));
  }
  text += beside_its_twin(figures);
  if (figures.share && figures.entitled_share) {
    text += fmt::format(" It got {} of the rows completed and was entitled to {}.", worded_percent(figures.share),
                        worded_percent(figures.entitled_share));
  }
  return text;
}

std::string of_rows(const RankedTenant& tenant, const RunResult& result) {
  std::string text = how_long(*tenant.figures);
  const SubjectSeries* series = series_of(result, tenant.name);
  if (series != nullptr) {
    const bool served = tenant.figures->wait.count > 0;
    if (const auto stretch = worst_stretch(served ? series->longest_wait : series->pending, result)) {
      text += (served ? " The longest waits ended" : " Its rows piled up") + when(*stretch, result) + ".";
      text += beneficiary(tenant.name, *stretch, result, &SubjectSeries::claims, "claims");
    }
  }
  return text + why_rows_waited(*tenant.figures);
}

bool was_hurt_at_the_gate(const TenantFigures& figures) {
  return refused(figures.gate->counts) > 0 || figures.gate->success_rate.value_or(0) < 1;
}

std::string of_requests(const RankedTenant& tenant, const RunResult& result) {
  const GateFigures& gate = *tenant.figures->gate;
  std::string text = gate.success_rate ? worded_percent(gate.success_rate) + " of its requests were answered in time."
                                       : std::string("None of its requests was answered in time, none given up.");
  if (refused(gate.counts) == 0) {
    return text + " None was refused.";
  }
  text += fmt::format(" Of {} tries {} were refused with 429 (its own budget) and {} with 503 (shared capacity)",
                      worded_count(gate.counts.arrived), worded_count(gate.counts.rejected_429),
                      worded_count(gate.counts.rejected_503));
  if (const SubjectSeries* series = series_of(result, tenant.name); series != nullptr && result.series.has_gate) {
    Column both;
    std::ranges::transform(series->refused_429, series->refused_503, std::back_inserter(both), std::plus<>());
    if (const auto stretch = worst_stretch(both, result)) {
      text += ", most" + when(*stretch, result);
    }
  }
  text += fmt::format("; most because of {}.", most_frequent_refusal(gate));
  if (gate.dead_work > 0) {
    text += fmt::format(" {} handlers worked for clients that had left.", worded_count(gate.dead_work));
  }
  return text;
}

// The worst, and where that one is marked noisy the worst of the others.
template <class Hurt, class Tell>
void tell(const std::vector<RankedTenant>& ranked, std::string_view what, Hurt hurt, Tell text_of,
          std::vector<StoryLine>& story) {
  if (ranked.empty()) {
    return;
  }
  const RankedTenant& worst = ranked.front();
  if (!hurt(*worst.figures)) {
    return;
  }
  const bool noisy = worst.figures->noisy;
  story.push_back(
      {fmt::format("Hurt most, {}{}", what, noisy ? " (the noisy tenant itself)" : ""), worst.label, text_of(worst)});
  const auto other = std::ranges::find_if(ranked, [](const RankedTenant& tenant) { return !tenant.figures->noisy; });
  if (noisy && other != ranked.end() && hurt(*other->figures)) {
    story.push_back({fmt::format("Hurt most of the others, {}", what), other->label, text_of(*other)});
  }
}

}  // namespace

std::string_view meaning_of_cause(std::string_view cause) {
  constexpr std::pair<std::string_view, std::string_view> meanings[] = {
      {"no_owner", "their shard had no owner"},
      {"store_error", "the store was out of reach, or failed the sweep"},
      {"not_visible", "they were not due yet, after a failed try"},
      {"paused", "their workflow was paused"},
      {"own_ceiling", "the tenant had used up its own quota on the node"},
      {"awaiting_sweep", "they waited for the next sweep, as every row does"},
      {"batch_budget", "the sweep's batch was used up, and divided fairly"},
      {"lost_in_order", "others were served first, beyond their fair part"},
      {"claimed_waiting", "they were claimed, and no worker was free"},
      {"executing", "they were being executed"}};
  const auto* found = std::ranges::find(meanings, cause, &std::pair<std::string_view, std::string_view>::first);
  return found == std::end(meanings) ? std::string_view("the model knows more") : found->second;
}

std::vector<StoryLine> story_of(const RunResult& result) {
  std::vector<StoryLine> story;
  if (const std::vector<RankedTenant> senders = ranked_by_success(result);
      !senders.empty() &&
      std::ranges::none_of(senders, [](const RankedTenant& sender) { return was_hurt_at_the_gate(*sender.figures); })) {
    story.push_back({"Requests", "nobody was hurt", "Every one was answered in time, and none was refused."});
  }
  tell(
      ranked_by_success(result), "by refused requests", was_hurt_at_the_gate,
      [&](const RankedTenant& tenant) { return of_requests(tenant, result); }, story);
  tell(
      ranked_worst_first(result), "by waiting rows", [](const TenantFigures& /*figures*/) { return true; },
      [&](const RankedTenant& tenant) { return of_rows(tenant, result); }, story);
  return story;
}

}  // namespace headroom
