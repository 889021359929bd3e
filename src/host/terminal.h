// The terminal: colours only where they are wanted, and one line that is written over and over.
#pragma once

#include <string>
#include <string_view>

namespace heddle {

enum class Colour { automatic, never, always };

enum class Paint { plain, bold, dim, red, green, yellow, blue, magenta, cyan };

class Terminal {
 public:
  // On a terminal that is not dumb and without NO_COLOR, unless told otherwise.
  explicit Terminal(int fd, Colour colour = Colour::automatic);

  bool interactive() const { return interactive_; }
  bool colours() const { return colours_; }
  // Columns; 80 where it cannot be known.
  int width() const;
  // That text may fill: what goes elsewhere is not made for a narrow terminal.
  std::size_t text_width() const;
  // The text, wrapped in escape codes if this terminal takes them.
  std::string paint(Paint paint, std::string_view text) const;

 private:
  int fd_;
  bool interactive_;
  bool colours_;
};

// One line at the bottom, replaced by each show(). Writes nothing at all where the output is not
// interactive. Whoever prints something else calls clear() first.
class StatusLine {
 public:
  explicit StatusLine(int fd);
  ~StatusLine() { clear(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  void show(std::string_view text);  // cut to the width; ASCII or UTF-8
  void clear();

 private:
  Terminal terminal_;
  int fd_;
  bool shown_ = false;
};

// The longest beginning of a UTF-8 text that takes at most so many columns (a character is one
// column).
std::string_view cut_to_columns(std::string_view text, std::size_t columns);

}  // namespace heddle
