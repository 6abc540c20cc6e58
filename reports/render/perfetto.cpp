#include "reports/render/perfetto.hpp"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "reports/render/escape.hpp"

namespace headroom {
namespace {

// The unit of the format is the microsecond.
std::string microseconds(std::int64_t nanoseconds) {
  return nanoseconds % 1'000 == 0 ? fmt::format("{}", nanoseconds / 1'000)
                                  : fmt::format("{}.{:03}", nanoseconds / 1'000, nanoseconds % 1'000);
}

// Slices of one track may not overlap, so each goes to the first lane that is free when it begins.
class Lanes {
 public:
  std::size_t place(Time from, Time until) {
    const auto free = std::ranges::find_if(busy_until_, [from](Time end) { return end <= from; });
    const auto lane = static_cast<std::size_t>(free - busy_until_.begin());
    if (free == busy_until_.end()) {
      busy_until_.push_back(until);
    } else {
      *free = until;
    }
    return lane;
  }
  [[nodiscard]] std::size_t count() const { return busy_until_.size(); }

 private:
  std::vector<Time> busy_until_;
};

// A track: a process and a number within it; lanes of a track have numbers of their own.
struct Track {
  std::size_t process = 0;
  std::size_t lane = 0;
};

class Trace {
 public:
  explicit Trace(const RunResult& result) : result_(result) {}

  std::string text() {
    place_slices();
    name_processes();
    write_slices();
    write_marks();
    return "{\"displayTimeUnit\":\"ms\",\n\"otherData\":" + other_data() + ",\n\"traceEvents\":[" + events_ + "\n]}\n";
  }

 private:
  [[nodiscard]] std::size_t run_process() const { return result_.nodes.size() + 1; }

  void event(const std::string& members) {
    events_ += separator_;
    events_ += "\n{";
    events_ += members;
    events_ += '}';
    separator_ = ",";
  }
  void metadata(std::string_view what, std::size_t process, std::size_t track, const std::string& value) {
    event(fmt::format(R"("ph":"M","name":"{}","pid":{},"tid":{},"args":{{{}}})", what, process, track, value));
  }

  // Lanes in the order of claims; then tracks of a node in the order of tenants.
  void place_slices() {
    std::vector<std::size_t> by_claim(result_.slices.slices.size());
    for (std::size_t i = 0; i < by_claim.size(); ++i) {
      by_claim[i] = i;
    }
    std::ranges::stable_sort(by_claim, {}, [this](std::size_t i) { return result_.slices.slices[i].claimed; });
    lane_of_.resize(by_claim.size());
    for (const std::size_t i : by_claim) {
      const RowSlice& slice = result_.slices.slices[i];
      lane_of_[i] = lanes_[{slice.node, slice.subject}].place(slice.claimed, slice.ended);
    }
    std::size_t next = 1;
    for (const auto& [key, lanes] : lanes_) {
      first_track_[key] = next;
      next += lanes.count();
    }
  }

  void name_processes() {
    for (std::size_t node = 0; node < result_.nodes.size(); ++node) {
      metadata("process_name", node + 1, 0, "\"name\":" + json_quoted(result_.nodes[node].name));
      metadata("process_sort_index", node + 1, 0, fmt::format("\"sort_index\":{}", node + 1));
    }
    metadata("process_name", run_process(), 0, R"("name":"run: faults and latency shifts")");
    metadata("process_sort_index", run_process(), 0, "\"sort_index\":0");
    for (const auto& [key, lanes] : lanes_) {
      for (std::size_t lane = 0; lane < lanes.count(); ++lane) {
        const std::size_t track = first_track_[key] + lane;
        const std::string& name = result_.series.subjects[key.second].name;
        metadata("thread_name", key.first + 1U, track,
                 "\"name\":" + json_quoted(lane == 0 ? name : fmt::format("{} ({})", name, lane + 1)));
        metadata("thread_sort_index", key.first + 1U, track, fmt::format("\"sort_index\":{}", track));
      }
    }
  }

  void complete(Track track, std::string_view name, Time from, Time until, const std::string& args) {
    event(fmt::format(R"("ph":"X","name":{},"pid":{},"tid":{},"ts":{},"dur":{},"args":{{{}}})", json_quoted(name),
                      track.process, track.lane, microseconds(from.nanoseconds()), microseconds((until - from).count()),
                      args));
  }

  void write_slices() {
    for (std::size_t i = 0; i < lane_of_.size(); ++i) {
      const RowSlice& slice = result_.slices.slices[i];
      const Track track{slice.node + 1U, first_track_[{slice.node, slice.subject}] + lane_of_[i]};
      complete(track, slice.row, slice.claimed, slice.ended,
               fmt::format(R"("waited_ms":{},"attempt":{},"end":"{}")",
                           static_cast<double>((slice.started - slice.due).count()) / 1e6, slice.attempt,
                           name_of(slice.end)));
      if (slice.started > slice.claimed) {
        complete(track, "waits for a worker", slice.claimed, slice.started, "");
      }
    }
  }

  // What happens at an instant concerns all tracks; what lasts has tracks of its own.
  void write_marks() {
    Lanes lanes;
    for (const Mark& mark : result_.marks) {
      if (mark.kind == Mark::Kind::fault) {
        event(fmt::format(R"("ph":"i","s":"g","name":{},"pid":{},"tid":0,"ts":{},"args":{{}})", json_quoted(mark.label),
                          run_process(), microseconds(mark.at.nanoseconds())));
      }
      if (mark.until > mark.at) {
        const Track track{run_process(), lanes.place(mark.at, mark.until) + 1};
        complete(track, mark.label, mark.at, mark.until, fmt::format("\"kind\":\"{}\"", name_of(mark.kind)));
      }
    }
    for (std::size_t lane = 0; lane < lanes.count(); ++lane) {
      metadata("thread_name", run_process(), lane + 1, fmt::format("\"name\":\"lasting ({})\"", lane + 1));
    }
  }

  [[nodiscard]] std::string other_data() const {
    return fmt::format(
        R"({{"headroom_version":{},"scenario":{},"scenario_digest":"{:016x}","seed":{},"event_digest":"{:016x}",)"
        R"("executions":{},"executions_shown":{}}})",
        json_quoted(result_.headroom_version), json_quoted(result_.scenario_name), result_.scenario_digest,
        result_.seed, result_.event_digest, result_.slices.ended, result_.slices.slices.size());
  }

  using Key = std::pair<std::uint16_t, std::uint32_t>;  // node, subject
  const RunResult& result_;
  std::map<Key, Lanes> lanes_;
  std::map<Key, std::size_t> first_track_;
  std::vector<std::size_t> lane_of_;  // by slice
  std::string events_;
  std::string_view separator_;
};

}  // namespace

std::string render_perfetto(const RunResult& result) {
  return Trace(result).text();
}

}  // namespace headroom
