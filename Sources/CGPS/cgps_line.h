#pragma once

#include "cgps_report.h"

#include <gps.h>

/// One line, read as far as libgps must not read it: its strings, and a copy that holds only what libgps knows in
/// every release.
enum {
  CGPS_TEXT_ROOM = 1024,
  CGPS_COPY_ROOM = 65536,
};

typedef struct {
  /// For libgps: an object of the same class that holds only members we use, each of the right type and in range.
  char copy[CGPS_COPY_ROOM];
  size_t copy_length;

  /// Empty: absent.
  char texts[CGPS_TEXT_COUNT][CGPS_TEXT_ROOM];

  /// -1: absent.
  int activated, mode;
  bool has_time;
  bool has_satellites;
  size_t satellite_count;
  /// Whether a satellite says which system it is of: libgps makes a GPS satellite of one that does not.
  bool satellite_has_system[MAXCHANNELS];
} cgps_line;

/// The class by the line's prefix alone.
cgps_class cgps_line_class(const char *text, size_t length);

/// Forgets the line before.
void cgps_line_clear(cgps_line *line);

/// Checks the syntax of a line whose class is looked into, and reads it into a cleared one; false where it
/// is broken.
bool cgps_line_read(cgps_line *line, cgps_class class, const char *text, size_t length);

/// Reads the message of an ERROR, which gpsd does not escape: not JSON where it quotes what it complains of.
void cgps_line_read_error(cgps_line *line, const char *text, size_t length);
