// Gives the shim of libgps lines of gpsd, whole, cut short and damaged, for the sanitizers to watch.
//
//     gpsd FILE...         each line of each file
//     gpsd --break KIND    makes a mistake on purpose: what watches has to notice it
#define _GNU_SOURCE
#include "CGPS.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DAMAGED_LINES = 200000 };

typedef struct {
  char *bytes;
  size_t length;
} line;

static line *lines;
static size_t line_count;

static void *checked(void *memory) {
  if (memory == NULL) abort();
  return memory;
}

static unsigned long counts[CGPS_SKEWED + 1];

/// Reads a line from memory that ends where the line does, and then all its values.
static void read_line(cgps_parser *parser, const char *bytes, size_t length) {
  char *exact = checked(malloc(length > 0 ? length : 1));
  if (length > 0) memcpy(exact, bytes, length);
  cgps_report report = cgps_parse(parser, exact, length);
  free(exact);
  counts[report.class]++;
  size_t text_bytes = 0;
  // One more of each than exists.
  for (int text = 0; text <= CGPS_TEXT_COUNT; text++) {
    const char *found = cgps_line_text(parser, (cgps_text)text);
    if (found != NULL) text_bytes += strlen(found);
  }
  for (size_t index = 0; index <= report.satellite_count; index++) {
    text_bytes += cgps_line_satellite(parser, index).used ? 1 : 0;
  }
  if (text_bytes > (size_t)CGPS_TEXT_COUNT * 1024 + report.satellite_count) abort();
}

static void load(const char *path) {
  FILE *file = fopen(path, "re");
  if (file == NULL) {
    perror(path);
    exit(1);
  }
  char *text = NULL;
  size_t room = 0;
  ssize_t length;
  while ((length = getline(&text, &room, file)) >= 0) {
    while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == '\r')) length--;
    lines = checked(realloc(lines, (line_count + 1) * sizeof *lines));
    char *copy = checked(malloc((size_t)length + 1));
    memcpy(copy, text, (size_t)length);
    lines[line_count++] = (line){copy, (size_t)length};
  }
  free(text);
  fclose(file);
}

/// SplitMix64: the same numbers in every run.
static uint64_t state = 1;
static size_t below(size_t bound) {
  state += 0x9E3779B97F4A7C15;
  uint64_t mixed = state;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
  return (size_t)((mixed ^ (mixed >> 31)) % bound);
}

static const char *const pieces[] = {
    "\"", "\\", "{", "}", "[", "]", ",", ":", "null", "true", "1e999", "-", "0", "\r", "\\u0000", "\\ud800\\udc00",
    "\\ud8", "\"lat\":", "\xc3\xa9", "\xf0\x9f", ",\"satellites\":[{\"PRN\":1}]", "{\"class\":\"TPV\"}",
    "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", "99999999999999999999999999999999999999999999999999999999999999999999",
};

/// The line with a part inserted, removed, changed or repeated; the prefix stays mostly intact, because the parser only
/// runs behind it.
static size_t damage(const line *whole, char *damaged, size_t room) {
  size_t length = whole->length < room ? whole->length : room;
  memcpy(damaged, whole->bytes, length);
  for (size_t times = 1 + below(4); times > 0 && length > 0; times--) {
    size_t least = length < 13 ? 0 : 12;
    size_t place = least + below(length - least);
    switch (below(5)) {
      case 0: damaged[place] = (char)below(256); break;
      case 1: length = place; break;
      case 2: {
        size_t gone = 1 + below(length - place);
        memmove(damaged + place, damaged + place + gone, length - place - gone);
        length -= gone;
        break;
      }
      case 3: {
        const char *piece = pieces[below(sizeof pieces / sizeof *pieces)];
        size_t added = strlen(piece);
        if (added > room - length) break;
        memmove(damaged + place + added, damaged + place, length - place);
        memcpy(damaged + place, piece, added);
        length += added;
        break;
      }
      default: {
        size_t again = 1 + below(length - place);
        if (again > room - length) break;
        memmove(damaged + place + again, damaged + place, length - place);
        length += again;
      }
    }
  }
  return length;
}

/// Numbers of every size, and invalid ones.
static void measure_places(void) {
  static const double degrees[] = {0, -0.0, 1e-9, 45, 90, -90, 90.0000001, 179.9, 180, -180, 360, 1e300, -1e300};
  enum { COUNT = sizeof degrees / sizeof *degrees };
  for (size_t index = 0; index < COUNT * COUNT * COUNT * COUNT; index++) {
    cgps_distance_and_bearing(
        degrees[index % COUNT], degrees[index / COUNT % COUNT], degrees[index / COUNT / COUNT % COUNT],
        degrees[index / COUNT / COUNT / COUNT]);
  }
  double none = strtod("nan", NULL), infinite = strtod("inf", NULL);
  cgps_distance_and_bearing(none, 0, 0, infinite);
  cgps_distance_and_bearing(infinite, none, -infinite, 0);
}

static int break_it(const char *kind) {
  if (strcmp(kind, "memory") == 0) {
    // A line whose memory ends before the line does.
    static const char text[] = "{\"class\":\"TPV\"";
    char *cut = checked(malloc(sizeof text - 1));
    memcpy(cut, text, sizeof text - 1);
    cgps_parser *parser = checked(cgps_parser_new());
    cgps_report report = cgps_parse(parser, cut, sizeof text);
    cgps_parser_free(parser);
    free(cut);
    return report.class == CGPS_TPV;
  }
  volatile int number = INT_MAX;
  number = number + 1;
  return number == 0;
}

int main(int count, char *arguments[]) {
  if (count == 3 && strcmp(arguments[1], "--break") == 0) return break_it(arguments[2]);
  for (int index = 1; index < count; index++) load(arguments[index]);
  if (line_count == 0) {
    fprintf(stderr, "no line was given\n");
    return 1;
  }
  cgps_parser *parser = checked(cgps_parser_new());
  for (size_t index = 0; index < line_count; index++) {
    for (size_t length = 0; length <= lines[index].length; length++) read_line(parser, lines[index].bytes, length);
  }
  enum { ROOM = 1 << 17 };
  char *damaged = checked(malloc(ROOM));
  for (size_t round = 0; round < DAMAGED_LINES; round++) {
    read_line(parser, damaged, damage(&lines[below(line_count)], damaged, ROOM));
  }
  // Garbage behind each prefix, and longer than a line can be.
  for (size_t index = 0; index < line_count; index++) {
    size_t length = lines[index].length < 24 ? lines[index].length : 24;
    memcpy(damaged, lines[index].bytes, length);
    for (size_t place = length; place < ROOM; place++) damaged[place] = (char)below(256);
    read_line(parser, damaged, ROOM);
    for (size_t place = length; place < ROOM; place++) damaged[place] = '[';
    read_line(parser, damaged, ROOM);
  }
  cgps_parser_free(parser);
  measure_places();
  for (size_t index = 0; index < line_count; index++) free(lines[index].bytes);
  free(lines);
  free(damaged);
  // Damage that leaves nothing readable would test the first byte alone.
  for (cgps_class class = CGPS_INVALID; class < CGPS_SKEWED; class++) {
    if (counts[class] > 0) continue;
    fprintf(stderr, "no line of class %d was read\n", (int)class);
    return 1;
  }
  printf("%zu lines, whole and cut short, and %d damaged ones\n", line_count, (int)DAMAGED_LINES);
  return 0;
}
