#include "report/lanes.h"

#include <fmt/core.h>

#include <algorithm>

#include "host/terminal.h"

namespace heddle::reports {

namespace {

constexpr std::size_t kLongestLoop = 8;
constexpr std::size_t kFewestRounds = 3;
constexpr std::size_t kLastLane = 38;  // columns that the rightmost lane needs to be read
constexpr std::size_t kNarrowest = 4;

std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string cut(std::string_view text, std::size_t columns) {
  if (columns_of(text) <= columns) return std::string(text);
  if (columns == 0) return {};
  return std::string(cut_to_columns(text, columns - 1)) + "…";
}

bool foldable(const LaneStep& step) { return step.key != 0 && step.style == StepStyle::event; }

bool same_round(const std::vector<LaneStep>& steps, std::size_t first, std::size_t second,
                std::size_t length) {
  if (second + length > steps.size()) return false;
  for (std::size_t i = 0; i < length; ++i) {
    const LaneStep& a = steps[first + i];
    const LaneStep& b = steps[second + i];
    if (!foldable(a) || !foldable(b) || a.lane != b.lane || a.key != b.key) return false;
  }
  return true;
}

// Where lane `i` begins. A row has one thread's text, so it may run over the lanes to its right.
std::vector<std::size_t> lane_starts(const Story& story, std::size_t columns) {
  const std::size_t count = story.lanes.size();
  std::vector<std::size_t> starts(count, 0);
  if (count < 2) return starts;
  const std::size_t even = columns / count;
  const std::size_t room = columns > kLastLane ? (columns - kLastLane) / (count - 1) : kNarrowest;
  const std::size_t width = std::max(kNarrowest, std::min(even, room));
  for (std::size_t i = 0; i < count; ++i) starts[i] = i * width;
  return starts;
}

std::string heading(const Story& story, const std::vector<std::size_t>& starts,
                    std::size_t columns) {
  std::string line;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::size_t end = i + 1 < starts.size() ? starts[i + 1] - 1 : columns;
    line.resize(line.size() + (starts[i] - columns_of(line)), ' ');
    std::string name = story.lanes[i];
    // "T3 worker" keeps its number when there is no room for more.
    if (columns_of(name) > end - starts[i]) {
      const std::string number = name.substr(0, name.find(' '));
      name = end - starts[i] < 8 ? number : cut(name, end - starts[i]);
    }
    line += name;
  }
  return line;
}

std::string row(const LaneStep& step, const std::vector<std::size_t>& starts, std::size_t columns) {
  std::string line;
  for (std::size_t i = 0; i < step.lane; ++i) {
    line.resize(line.size() + (starts[i] - columns_of(line)), ' ');
    line += "│";
  }
  line.resize(line.size() + (starts[step.lane] - columns_of(line)), ' ');
  const std::size_t start = starts[step.lane];
  const std::size_t room = columns > start ? columns - start : kLastLane;
  const std::string_view mark = step.style == StepStyle::decisive ? "  <==" : "";
  // A long name gives way to the mark: half of a pair says nothing.
  std::string text = cut(step.text, room > mark.size() ? room - mark.size() : room);
  text += mark;
  if (!step.where.empty() && columns_of(text) + 2 + columns_of(step.where) <= room) {
    text += "  " + step.where;
  }
  line += cut(text, room);
  for (std::size_t i = step.lane + 1; i < starts.size(); ++i) {
    const std::size_t at = columns_of(line);
    if (at + 1 > starts[i]) continue;
    line.resize(line.size() + (starts[i] - at), ' ');
    line += "│";
  }
  return line;
}

}  // namespace

void fold_loops(Story& story) {
  std::vector<LaneStep> folded;
  const std::vector<LaneStep>& steps = story.steps;
  for (std::size_t at = 0; at < steps.size();) {
    std::size_t best_length = 0;
    std::size_t best_rounds = 0;
    for (std::size_t length = 1; length <= kLongestLoop; ++length) {
      std::size_t rounds = 1;
      while (same_round(steps, at, at + rounds * length, length)) ++rounds;
      if (rounds < kFewestRounds || rounds * length <= best_rounds * best_length) continue;
      best_length = length;
      best_rounds = rounds;
    }
    if (best_rounds == 0) {
      folded.push_back(steps[at++]);
      continue;
    }
    // The last round is the one shown: its values are what the failure saw.
    const std::size_t last = at + (best_rounds - 1) * best_length;
    LaneStep note;
    note.lane = steps[at].lane;
    note.style = StepStyle::note;
    note.text = best_length == 1
                    ? fmt::format("({} times:)", best_rounds)
                    : fmt::format("({} times {} steps, the last:)", best_rounds, best_length);
    note.times = best_rounds;
    note.length = best_length;
    folded.push_back(std::move(note));
    for (std::size_t i = 0; i < best_length; ++i) folded.push_back(steps[last + i]);
    at += best_rounds * best_length;
  }
  story.steps = std::move(folded);
}

void shorten(Story& story, std::size_t most_steps) {
  std::vector<LaneStep>& steps = story.steps;
  if (steps.size() <= most_steps || most_steps < 4) return;
  // Worth: the end, decisive steps and switches, and what stands beside them.
  const std::size_t count = steps.size();
  std::vector<std::uint64_t> worth(count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    worth[i] += i;  // later is nearer to the failure
    std::uint64_t weight = 0;
    if (steps[i].style == StepStyle::decisive) weight = 8 * count;
    if (steps[i].style == StepStyle::change) weight = 2 * count;
    for (std::size_t near = i >= 2 ? i - 2 : 0; weight > 0 && near < std::min(count, i + 3);
         ++near) {
      const std::size_t far = near < i ? i - near : near - i;
      worth[near] = std::max(worth[near], near + weight - far * count / 2);
    }
    if (i + 3 >= count) worth[i] += 4 * count;
  }
  std::vector<std::size_t> order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = i;
  std::ranges::stable_sort(order,
                           [&](std::size_t a, std::size_t b) { return worth[a] > worth[b]; });
  // Every gap costs a line for its note, so take fewer until it fits.
  for (std::size_t keep = most_steps - 1; keep > 0; --keep) {
    std::vector<bool> kept(count, false);
    for (std::size_t i = 0; i < keep; ++i) kept[order[i]] = true;
    std::vector<LaneStep> shorter;
    std::size_t left_out = 0;
    std::size_t lane = 0;
    const auto note_gap = [&] {
      if (left_out == 0) return;
      LaneStep note;
      note.lane = lane;
      note.style = StepStyle::note;
      note.text = fmt::format("({} more)", left_out);
      shorter.push_back(std::move(note));
      left_out = 0;
    };
    for (std::size_t i = 0; i < count; ++i) {
      if (kept[i]) {
        note_gap();
        shorter.push_back(steps[i]);
      } else {
        if (left_out == 0) lane = steps[i].lane;
        ++left_out;
      }
    }
    note_gap();
    if (shorter.size() > most_steps) continue;
    steps = std::move(shorter);
    return;
  }
}

// A thread of which nothing is told needs no room.
static Story without_empty_lanes(Story story) {
  std::vector<bool> used(story.lanes.size(), false);
  for (const LaneStep& step : story.steps) used[step.lane] = true;
  std::vector<std::size_t> place(story.lanes.size(), 0);
  std::vector<std::string> lanes;
  for (std::size_t i = 0; i < used.size(); ++i) {
    place[i] = lanes.size();
    if (used[i]) lanes.push_back(story.lanes[i]);
  }
  for (LaneStep& step : story.steps) step.lane = place[step.lane];
  story.lanes = std::move(lanes);
  return story;
}

std::vector<std::string> lane_lines(const Story& whole, const LaneLayout& layout) {
  const Story story = without_empty_lanes(whole);
  const std::vector<std::size_t> starts = lane_starts(story, layout.columns);
  std::vector<std::string> lines;
  if (story.lanes.empty()) return lines;
  lines.push_back(heading(story, starts, layout.columns));
  for (const LaneStep& step : story.steps) lines.push_back(row(step, starts, layout.columns));
  return lines;
}

}  // namespace heddle::reports
