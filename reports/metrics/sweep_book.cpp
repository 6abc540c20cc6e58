#include "reports/metrics/sweep_book.hpp"

#include <fmt/format.h>

namespace headroom {
namespace {

std::string in_seconds(Duration duration) {
  return fmt::format("{:.6g} s", static_cast<double>(duration.count()) / 1e9);
}

}  // namespace

SweepBook::SweepBook(std::optional<RecordStretch> asked) : asked_(std::move(asked)) {
  first_.stretch.label = "the first sweeps";
  first_.wanted = kFirst;
  if (asked_) {
    asked_for_.stretch.label = "as asked for, " + asked_->text;
  }
}

bool SweepBook::in_asked(Time at) const {
  if (!asked_) {
    return false;
  }
  return asked_->by_number ? count_ >= asked_->first && count_ <= asked_->last
                           : at >= asked_->from && at <= asked_->until;
}

void SweepBook::keep(Kept& kept, const SweepEntry& entry) {
  kept.entries.push_back(entry);
}

void SweepBook::add(SweepEntry& entry) {
  entry.number = ++count_;
  const auto keep_if_wanted = [&entry](Kept& kept) {
    if (kept.wanted > 0) {
      --kept.wanted;
      keep(kept, entry);
    }
  };
  keep_if_wanted(first_);
  for (Kept& violation : violations_) {
    keep_if_wanted(violation);
  }
  if (longest_) {
    keep_if_wanted(longest_->kept);
  }
  if (in_asked(entry.at)) {
    if (asked_for_.entries.size() < kMostAsked) {
      keep(asked_for_, entry);
    } else {
      asked_for_.stretch.cut = true;
    }
  }
  if (last_.size() < kAround) {
    last_.push_back(entry);
  } else {
    last_[(count_ - 1) % kAround] = entry;
  }
}

void SweepBook::keep_what_came_before(Kept& kept) const {
  kept.entries.clear();
  for (std::size_t i = 0; i < last_.size(); ++i) {
    kept.entries.push_back(last_[(count_ + i) % last_.size()]);
  }
  kept.wanted = kAround;
  kept.stretch.event = count_;
}

void SweepBook::note_violation(std::string_view property, Time at) {
  if (violations_.size() < kMostViolations) {
    Kept& kept = violations_.emplace_back();
    kept.stretch.label = fmt::format("around the violation of {} at {}", property, in_seconds(at.since_start()));
    keep_what_came_before(kept);
  }
}

void SweepBook::note_starvation(std::uint32_t name, std::uint16_t node, std::uint64_t sweeps, Duration lasted) {
  if (sweeps == 0 || (longest_ && longest_->sweeps >= sweeps)) {
    return;
  }
  if (!longest_) {
    longest_.emplace();
  }
  longest_->name = name;
  longest_->node = node;
  longest_->sweeps = sweeps;
  longest_->lasted = lasted;
  keep_what_came_before(longest_->kept);
}

std::vector<SweepBook::Kept> SweepBook::take_all(const std::string& starved) && {
  std::vector<Kept> all;
  all.push_back(std::move(first_));
  if (asked_) {
    all.push_back(std::move(asked_for_));
  }
  std::ranges::move(violations_, std::back_inserter(all));
  if (longest_) {
    longest_->kept.stretch.label =
        fmt::format("around the end of the longest starvation: {} on n{}, {} sweeps, {}", starved, longest_->node + 1,
                    longest_->sweeps, in_seconds(longest_->lasted));
    all.push_back(std::move(longest_->kept));
  }
  return all;
}

RecordedSweeps SweepBook::merged(std::vector<Kept> kept) {
  RecordedSweeps recorded;
  for (Kept& part : kept) {
    if (part.entries.empty()) {
      continue;
    }
    part.stretch.first = part.entries.front().number;
    part.stretch.last = part.entries.back().number;
    recorded.stretches.push_back(std::move(part.stretch));
    std::ranges::move(part.entries, std::back_inserter(recorded.entries));
  }
  std::ranges::stable_sort(recorded.entries, {}, &SweepEntry::number);
  const auto repeated = std::ranges::unique(recorded.entries, {}, &SweepEntry::number);
  recorded.entries.erase(repeated.begin(), repeated.end());
  return recorded;
}

}  // namespace headroom
