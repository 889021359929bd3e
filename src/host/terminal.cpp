#include "host/terminal.h"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

namespace heddle {
namespace {

bool wants_colours(bool interactive, Colour colour) {
  if (colour != Colour::automatic) {
    return colour == Colour::always;
  }
  const char* no_color = std::getenv("NO_COLOR");
  const char* kind = std::getenv("TERM");
  const bool dumb = kind == nullptr || std::string_view(kind) == "dumb";
  return interactive && !dumb && (no_color == nullptr || *no_color == '\0');
}

std::string_view code(Paint paint) {
  switch (paint) {
    case Paint::plain:
      return "0";
    case Paint::bold:
      return "1";
    case Paint::dim:
      return "2";
    case Paint::red:
      return "31";
    case Paint::green:
      return "32";
    case Paint::yellow:
      return "33";
    case Paint::blue:
      return "34";
    case Paint::magenta:
      return "35";
    case Paint::cyan:
      return "36";
  }
  return "0";
}

// A status line that cannot be written is no reason to stop.
void write_quietly(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written <= 0) {
      return;
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

Terminal::Terminal(int fd, Colour colour)
    : fd_(fd), interactive_(::isatty(fd) == 1), colours_(wants_colours(interactive_, colour)) {}

int Terminal::width() const {
  winsize size{};
  if (::ioctl(fd_, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    return size.ws_col;
  }
  const char* columns = std::getenv("COLUMNS");
  const int wanted = columns == nullptr ? 0 : std::atoi(columns);
  return wanted > 0 ? wanted : 80;
}

std::size_t Terminal::text_width() const {
  constexpr int kNarrowest = 60;
  constexpr std::size_t kElsewhere = 100;
  return interactive_ ? static_cast<std::size_t>(std::max(kNarrowest, width())) : kElsewhere;
}

std::string Terminal::paint(Paint paint, std::string_view text) const {
  if (!colours_ || paint == Paint::plain) {
    return std::string(text);
  }
  return fmt::format("\033[{}m{}\033[0m", code(paint), text);
}

StatusLine::StatusLine(int fd) : terminal_(fd), fd_(fd) {}

void StatusLine::show(std::string_view text) {
  if (!terminal_.interactive()) {
    return;
  }
  const auto columns = static_cast<std::size_t>(terminal_.width() - 1);
  write_quietly(fd_, fmt::format("\r{}\033[K", cut_to_columns(text, columns)));
  shown_ = true;
}

void StatusLine::clear() {
  if (shown_) {
    write_quietly(fd_, "\r\033[K");
    shown_ = false;
  }
}

std::string_view cut_to_columns(std::string_view text, std::size_t columns) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (columns == 0) {
      return text.substr(0, at);
    }
    --columns;
    ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) {
      ++at;
    }
  }
  return text;
}

}  // namespace heddle
