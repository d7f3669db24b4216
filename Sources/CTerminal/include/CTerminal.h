#pragma once
/// A full screen on a terminal, by ncurses: what of it is macros, variables or callbacks that Swift cannot use.
///
/// A process has one at a time, on one thread. ncurses' headers are not included here, so that none of their names and
/// macros reaches Swift.

/// How text is shown. Without colours all are alike.
typedef enum {
  CTERMINAL_PLAIN,
  CTERMINAL_BOLD,
  CTERMINAL_DIM,
  CTERMINAL_GOOD,
  CTERMINAL_BAD,
  CTERMINAL_DOUBTFUL,
} cterminal_style;

/// Keys that are no characters.
enum { CTERMINAL_NO_KEY = -1, CTERMINAL_OTHER_KEY = 0 };

/// Loads ncurses.
///
/// Returns 0, or -1 if it is not installed.
int cterminal_load(void);

/// Takes the locale of the environment for characters.
///
/// Returns 1 if it writes UTF-8, 0 if not.
int cterminal_use_locale(void);

/// Turns to the alternate screen of the terminal on `output`, and reads keys from `input`; both stay open, and are the
/// caller's. From now on a crash of the process leaves the terminal as it was.
///
/// ncurses must be loaded. Returns 0, or -1 if the terminal's type is unknown or cannot be used.
int cterminal_open(int output, int input, const char *type);

/// Leaves the terminal as it was, for good.
void cterminal_close(void);

/// Leaves the terminal as it was, and stops the process as Ctrl-Z does, until it is continued. Where nobody could continue
/// it, in an orphaned group of processes, the kernel does not stop it.
void cterminal_stop(void);

/// Takes the terminal again, and draws all of the screen anew with the next `cterminal_show`.
void cterminal_return(void);

/// Uses colours if `wanted` and the terminal has them. Returns whether it does.
int cterminal_use_colors(int wanted);

/// The terminal has another size.
void cterminal_resize(int rows, int columns);

/// Begins a new picture, which is empty.
void cterminal_begin(void);

/// Puts a text, in the locale's characters, at a place of the picture.
void cterminal_put(int row, int column, const char *text, cterminal_style style);

/// Writes what differs from the last picture.
void cterminal_show(void);

/// The next key that was typed; `CTERMINAL_NO_KEY` if there is none.
int cterminal_key(void);
