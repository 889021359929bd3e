#include "campaign/oracle.h"

#include <sys/wait.h>

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "campaign/findings.h"
#include "campaign/site_names.h"
#include "campaign/unseen_order.h"
#include "detect/catalog.h"
#include "host/files.h"

namespace heddle::campaign {

namespace {

constexpr std::size_t kLongestPiece = 1 << 20;
constexpr std::uint64_t kDefaultCap = std::uint64_t{64} << 20;
constexpr std::uint64_t kBeyondExpected = std::uint64_t{1} << 20;

FailureKind kind_of_verdict(Verdict verdict) {
  switch (verdict) {
    case Verdict::deadlock:
      return FailureKind::deadlock;
    case Verdict::livelock:
      return FailureKind::livelock;
    case Verdict::step_limit:
    case Verdict::stuck:
      return FailureKind::timeout;
    default:
      return FailureKind::none;
  }
}

std::string shown_line(std::string_view line) {
  constexpr std::size_t kShown = 160;
  return line.size() <= kShown ? std::string(line) : fmt::format("{}…", line.substr(0, kShown));
}

}  // namespace

Result<Oracle> Oracle::create(const RunOptions& options) {
  Oracle oracle;
  for (const std::string& text : options.fail_if) {
    auto* const compiled = new regex_t;
    if (regcomp(compiled, text.c_str(), REG_EXTENDED | REG_NOSUB) != 0) {
      delete compiled;
      return Error{fmt::format(
          "'{}' is not a regular expression; write an extended one, as for grep -E.", text)};
    }
    oracle.fail_if_.push_back({text, std::shared_ptr<const regex_t>(compiled, [](regex_t* regex) {
                                 regfree(regex);
                                 delete regex;
                               })});
  }
  if (options.expect_output) {
    Result<std::string> text = read_file(*options.expect_output);
    if (!text) return text.error();
    oracle.expected_ = *std::move(text);
  }
  oracle.names_ = std::make_shared<std::mutex>();
  if (options.suppressions) {
    const Result<std::string> text = read_file(*options.suppressions);
    if (!text) return text.error();
    Result<Suppressions> parsed = Suppressions::parse(*text, options.suppressions->string());
    if (!parsed) return parsed.error();
    oracle.suppressions_ = *std::move(parsed);
  }
  return oracle;
}

std::uint64_t Oracle::output_cap() const {
  return expected_ ? std::max(kDefaultCap, expected_->size() + kBeyondExpected) : kDefaultCap;
}

Suspicion Oracle::judge(const RunRecord& record, RunDirectory& directory) const {
  // What the engine proved comes first: it ends the process itself, so the exit status says nothing more.
  const FailureKind proved = kind_of_verdict(record.outcome.verdict);
  if (proved != FailureKind::none) return {proved, {}, {}, 0};
  if (record.outcome.verdict == Verdict::internal_error) return {};
  if (record.ended_by == EndedBy::deadline) return {FailureKind::timeout, {}, {}, 0};
  if (WIFSIGNALED(record.wait_status)) return {FailureKind::crash, {}, {}, 0};
  if (WIFEXITED(record.wait_status) && WEXITSTATUS(record.wait_status) != 0) {
    return {FailureKind::exit, {}, {}, 0};
  }
  if (std::optional<Suspicion> output = judge_output(directory)) return *std::move(output);
  if (const std::optional<std::size_t> finding = failing_finding(record, 0)) {
    return {FailureKind::finding, {}, {}, *finding};
  }
  return {};
}

std::optional<std::size_t> Oracle::failing_finding(const RunRecord& record,
                                                   std::size_t from) const {
  for (std::size_t i = from; i < record.findings.size(); ++i) {
    const Finding& finding = record.findings[i];
    // What --confirm steered into and brought about is a failure whatever --fail-on says.
    const bool fails = (record.input.plan.fail_on & bit(finding.kind)) != 0 ||
                       side_by_side(record.outcome, finding);
    if (!fails) continue;
    if (finding.kind == FindingKind::atomicity) continue;  // finding_tally.h
    if (!suppressed(finding, record)) return i;
  }
  return std::nullopt;
}

bool Oracle::suppressed(const Finding& finding, const RunRecord& record) const {
  if (has_unseen_order(finding, record)) return true;
  const std::lock_guard lock(*names_);
  const SiteNames sites(record.modules);
  const auto names_at = [&](SiteId site, std::uint16_t number) {
    std::vector<std::string> names = sites.all_names(site);
    if (number == 0 || number > record.stacks.size()) return names;
    const StackRecord& stack = record.stacks[number - 1];
    for (std::size_t i = 1; i < std::min<std::size_t>(stack.frame_count, kStackFrames); ++i) {
      for (std::string& name : sites.all_names(stack.frames[i])) names.push_back(std::move(name));
    }
    return names;
  };
  std::vector<std::string> names = names_at(finding.first_site, finding.first_stack);
  std::vector<std::string> second = names_at(finding.second_site, finding.second_stack);
  if (finding.kind == FindingKind::race && is_library_race(names, second)) return true;
  if (suppressions_.empty()) return false;
  Suppressions::Names told;
  // The module, then function and file of the innermost frame.
  constexpr std::size_t kOfInnermost = 3;
  for (const std::vector<std::string>* side : {&names, &second}) {
    told.all.insert(told.all.end(), side->begin(), side->end());
    told.innermost.insert(
        told.innermost.end(), side->begin(),
        side->begin() + static_cast<std::ptrdiff_t>(std::min(side->size(), kOfInnermost)));
  }
  const std::string variable = sites.variable(finding.object);
  if (!variable.empty()) told.all.push_back(variable);
  return suppressions_.match(finding.kind, told);
}

std::optional<Suspicion> Oracle::judge_output(RunDirectory& directory) const {
  for (const Pattern& pattern : fail_if_) {
    for (OutputFile* file : {&directory.err(), &directory.out()}) {
      if (file->size() == 0) continue;
      if (std::optional<std::string> line = find_line(*file, *pattern.regex)) {
        return Suspicion{FailureKind::output, shown_line(*line), pattern.text, 0};
      }
    }
  }
  if (!expected_) return std::nullopt;
  OutputFile& out = directory.out();
  if (out.was_cut()) {
    return Suspicion{FailureKind::output, "it printed far more than expected", {}, 0};
  }
  std::string difference = first_difference(*expected_, out.contents(out.size()).text);
  if (difference.empty()) return std::nullopt;
  return Suspicion{FailureKind::output, std::move(difference), {}, 0};
}

std::optional<std::string> find_line(const OutputFile& output, const regex_t& regex) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(
      std::fopen(output.path().c_str(), "re"), &std::fclose);
  if (!file) return std::nullopt;
  const OutputFile::Gap gap = output.gap();
  std::string piece(kLongestPiece, '\0');
  for (;;) {
    const auto at = static_cast<std::uint64_t>(ftello(file.get()));
    if (at >= gap.begin && at < gap.end) fseeko(file.get(), static_cast<off_t>(gap.end), SEEK_SET);
    if (std::fgets(piece.data(), static_cast<int>(piece.size()), file.get()) == nullptr) break;
    std::string_view line(piece.data());
    if (line.ends_with('\n')) line.remove_suffix(1);
    piece[line.size()] = '\0';
    if (regexec(&regex, piece.data(), 0, nullptr, 0) == 0) return std::string(line);
  }
  return std::nullopt;
}

std::string first_difference(std::string_view expected, std::string_view got) {
  if (expected == got) return {};
  const auto [a, b] = std::ranges::mismatch(expected, got);
  const auto line = 1 + std::count(expected.begin(), a, '\n');
  const auto line_at = [](std::string_view text, std::size_t at) {
    const std::size_t before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
    const std::size_t start = before == std::string_view::npos ? 0 : before + 1;
    return text.substr(start, text.find('\n', start) - start);
  };
  const std::size_t at_expected = static_cast<std::size_t>(a - expected.begin());
  const std::size_t at_got = static_cast<std::size_t>(b - got.begin());
  if (at_got == got.size()) {
    return fmt::format("the output ends in line {}, where '{}' was expected", line,
                       shown_line(line_at(expected, at_expected)));
  }
  if (at_expected == expected.size()) {
    return fmt::format("line {} has '{}', where nothing more was expected", line,
                       shown_line(line_at(got, at_got)));
  }
  return fmt::format("line {} is '{}', expected '{}'", line, shown_line(line_at(got, at_got)),
                     shown_line(line_at(expected, at_expected)));
}

}  // namespace heddle::campaign
