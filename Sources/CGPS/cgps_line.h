#pragma once

#include "cgps_report.h"

#include <gps.h>

/// One line, with what libgps must not parse already parsed: its strings, and a copy that has only members that every
/// release of libgps knows.
enum {
  CGPS_COPY_ROOM = 65536,
};

typedef struct {
  /// For libgps: an object of the same class that has only members that positiond uses, each of the right type and in
  /// range.
  char copy[CGPS_COPY_ROOM];
  size_t copy_length;

  /// Empty: absent.
  char texts[CGPS_TEXT_COUNT][CGPS_TEXT_ROOM];

  /// -1: absent.
  int activated, protocol_major, protocol_minor, jamming, antenna;
  bool has_time;
  bool has_satellites;
  size_t satellite_count;
  /// Whether a satellite has a system: libgps reports a satellite without one as GPS.
  bool satellite_has_system[MAXCHANNELS];
} cgps_line;

/// The class, decided by the line's prefix alone.
cgps_class cgps_line_class(const char *text, size_t length);

/// Clears the previous line.
void cgps_line_clear(cgps_line *line);

/// Checks the syntax of a line of a class that positiond uses, and reads the line into a cleared one. Returns false if
/// the syntax is broken.
bool cgps_line_read(cgps_line *line, cgps_class class, const char *text, size_t length);

/// Writes a line of a class that libgps reads, with every member that positiond takes from libgps and as many satellites
/// as fit. Each value differs from the others, and from what memory that was never written holds. Returns its length.
size_t cgps_line_write_probe(cgps_class class, char *text, size_t room);

/// Whether a report and its satellites have the values of that line.
bool cgps_line_matches_probe(const cgps_report *report, const cgps_satellite *satellites);

/// Reads the message of an ERROR. gpsd does not escape it, so the line is not JSON if the message quotes a request.
void cgps_line_read_error(cgps_line *line, const char *text, size_t length);
