#include "CTerminal.h"

#define _GNU_SOURCE
#define NCURSES_NOMACROS 1
#include <curses.h>
#include <dlfcn.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

// MARK: The library

/// What is used of ncurses. It is loaded when a screen is opened: each command would pay for it, and only one has a screen.
#define FUNCTIONS(use) \
  use(COLOR_PAIR) use(cbreak) use(clearok) use(curs_set) use(delscreen) use(endwin) use(erase) use(getch) use(has_colors) \
  use(init_pair) use(keypad) use(mvaddstr) use(newterm) use(nodelay) use(noecho) use(nonl) use(refresh) use(reset_prog_mode) \
  use(resizeterm) use(set_escdelay) use(set_term) use(start_color) use(tigetstr) use(use_default_colors) use(wattrset)

#define MEMBER(name) __typeof__(name) *name;
static struct {
  FUNCTIONS(MEMBER)
  /// The whole screen, and what the terminal shows of it.
  WINDOW **stdscr, **curscr;
} curses;

int cterminal_load(void) {
  // Its name has the version of its interface, with which this is compiled.
  void *library = dlopen("libncursesw.so.6", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return -1;
#define FIND(name) \
  if ((curses.name = (__typeof__(curses.name))dlsym(library, #name)) == NULL) return -1;
  FUNCTIONS(FIND)
  FIND(stdscr)
  FIND(curscr)
  return 0;
}

static SCREEN *screen;
static FILE *output_file, *input_file;
static bool has_colors_now;

// MARK: A crash

/// What a crash writes, prepared before: a handler of a signal may call next to nothing.
static struct {
  int terminal;
  struct termios settings;
  char text[256];
  size_t length;
} as_before;

static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE};
enum { CRASHES = sizeof crashes / sizeof *crashes };
static struct sigaction handlers_before[CRASHES];

static void crashed(int number) {
  if (as_before.length > 0) {
    // Nothing can be done if this fails.
    ssize_t written = write(as_before.terminal, as_before.text, as_before.length);
    (void)written;
    tcsetattr(as_before.terminal, TCSANOW, &as_before.settings);
  }
  // The handler was for one time (SA_RESETHAND), so the signal now ends the process as it would have.
  raise(number);
}

static void remember(const char *capability) {
  const char *text = curses.tigetstr(capability);
  if (text == NULL || text == (const char *)-1) return;
  size_t length = strlen(text);
  if (as_before.length + length >= sizeof as_before.text) return;
  memcpy(as_before.text + as_before.length, text, length);
  as_before.length += length;
}

static void watch_for_crashes(int output) {
  as_before.terminal = output;
  as_before.length = 0;
  // The end of emphasis and colours, the cursor, the keypad, and the screen from before.
  const char *capabilities[] = {"sgr0", "op", "cnorm", "rmkx", "rmcup"};
  for (size_t i = 0; i < sizeof capabilities / sizeof *capabilities; i++) remember(capabilities[i]);
  struct sigaction action = {.sa_handler = crashed, .sa_flags = SA_RESETHAND | SA_NODEFER};
  for (int i = 0; i < CRASHES; i++) sigaction(crashes[i], &action, &handlers_before[i]);
}

static void stop_watching_for_crashes(void) {
  for (int i = 0; i < CRASHES; i++) sigaction(crashes[i], &handlers_before[i], NULL);
}

// MARK: The screen

int cterminal_use_locale(void) {
  if (setlocale(LC_CTYPE, "") == NULL) return 0;
  return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

static FILE *opened(int descriptor, const char *mode) {
  int copy = dup(descriptor);
  if (copy < 0) return NULL;
  FILE *file = fdopen(copy, mode);
  if (file == NULL) close(copy);
  return file;
}

static void close_files(void) {
  if (output_file != NULL) fclose(output_file);
  if (input_file != NULL) fclose(input_file);
  output_file = input_file = NULL;
}

int cterminal_open(int output, int input, const char *type) {
  // Before ncurses changes them.
  if (tcgetattr(output, &as_before.settings) != 0) return -1;
  output_file = opened(output, "w");
  input_file = opened(input, "r");
  if (output_file != NULL && input_file != NULL) screen = curses.newterm(type, output_file, input_file);
  if (screen == NULL) {
    close_files();
    return -1;
  }
  curses.set_term(screen);
  watch_for_crashes(output);
  curses.cbreak();
  curses.noecho();
  curses.nonl();
  curses.curs_set(0);
  curses.keypad(*curses.stdscr, TRUE);
  curses.nodelay(*curses.stdscr, TRUE);
  // A lone escape is no key here, so nobody waits for what follows one.
  curses.set_escdelay(25);
  return 0;
}

void cterminal_close(void) {
  if (screen == NULL) return;
  curses.endwin();
  stop_watching_for_crashes();
  curses.delscreen(screen);
  screen = NULL;
  close_files();
}

void cterminal_stop(void) {
  curses.endwin();
  // ncurses has set a handler of its own, and the loop has the signal blocked.
  struct sigaction usual = {.sa_handler = SIG_DFL}, before;
  sigset_t stop, mask;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTSTP);
  sigaction(SIGTSTP, &usual, &before);
  pthread_sigmask(SIG_UNBLOCK, &stop, &mask);
  raise(SIGTSTP);
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
  sigaction(SIGTSTP, &before, NULL);
}

void cterminal_return(void) {
  curses.reset_prog_mode();
  curses.clearok(*curses.curscr, TRUE);
}

int cterminal_use_colors(int wanted) {
  has_colors_now = wanted && curses.has_colors() && curses.start_color() == OK;
  if (!has_colors_now) return 0;
  short background = curses.use_default_colors() == OK ? -1 : COLOR_BLACK;
  curses.init_pair(CTERMINAL_GOOD, COLOR_GREEN, background);
  curses.init_pair(CTERMINAL_BAD, COLOR_RED, background);
  curses.init_pair(CTERMINAL_DOUBTFUL, COLOR_YELLOW, background);
  return 1;
}

void cterminal_resize(int rows, int columns) {
  curses.resizeterm(rows, columns);
  curses.clearok(*curses.curscr, TRUE);
}

static attr_t attributes(cterminal_style style) {
  if (!has_colors_now) return A_NORMAL;
  switch (style) {
    case CTERMINAL_PLAIN: return A_NORMAL;
    case CTERMINAL_BOLD: return A_BOLD;
    case CTERMINAL_DIM: return A_DIM;
    case CTERMINAL_BAD: return A_BOLD | curses.COLOR_PAIR(style);
    case CTERMINAL_GOOD:
    case CTERMINAL_DOUBTFUL: return curses.COLOR_PAIR(style);
  }
  return A_NORMAL;
}

void cterminal_begin(void) { curses.erase(); }

void cterminal_put(int row, int column, const char *text, cterminal_style style) {
  curses.wattrset(*curses.stdscr, (int)attributes(style));
  // Fails at the last cell of the screen, after it has put the text.
  curses.mvaddstr(row, column, text);
}

void cterminal_show(void) {
  curses.wattrset(*curses.stdscr, A_NORMAL);
  curses.refresh();
}

int cterminal_key(void) {
  int key = curses.getch();
  if (key == ERR) return CTERMINAL_NO_KEY;
  return key > 0 && key < 256 ? key : CTERMINAL_OTHER_KEY;
}
