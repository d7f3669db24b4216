#pragma once

#include <stdbool.h>
#include <stddef.h>

/// A text of gpsd has fewer bytes than this.
enum { CGPS_TEXT_ROOM = 1024 };

/// The class of one line of gpsd. Only the named classes are read.
typedef enum {
  /// Not a JSON object of gpsd, or a broken one. Nothing of it was used.
  CGPS_INVALID,
  /// A class that positiond does not use; its syntax was not checked.
  CGPS_IGNORED,
  CGPS_TPV,
  CGPS_SKY,
  CGPS_ATT,
  CGPS_GST,
  CGPS_DEVICE,
  /// Recognised by its prefix alone. libgps is never given one, because it loops for ever on a list of more than four
  /// devices.
  CGPS_DEVICES,
  CGPS_WATCH,
  CGPS_VERSION,
  CGPS_ERROR,
  /// The loaded library has another data layout than the headers of this build, so nothing that it reads can be used.
  CGPS_SKEWED,
} cgps_class;

/// One satellite of a SKY report. An absent number is NAN, an absent integer -1.
typedef struct {
  /// The system in u-blox's numbering, which gpsd uses, and the satellite's number within the system; both absent or
  /// both present.
  int gnssid;
  int svid;
  /// The number in the numbering of NMEA 2 to 4.0, which covers all systems.
  int prn;
  double elevation;
  double azimuth;
  double snr;
  bool used;
} cgps_satellite;

/// The numbers of a position: the member of `cgps_report`, the one of libgps, and its name in a TPV report.
#define CGPS_POSITION_NUMBERS(NUMBER)                \
  NUMBER(latitude, latitude, "lat")                  \
  NUMBER(longitude, longitude, "lon")                \
  NUMBER(altitude_msl, altMSL, "altMSL")             \
  NUMBER(altitude_hae, altHAE, "altHAE")             \
  NUMBER(speed, speed, "speed")                      \
  NUMBER(track, track, "track")                      \
  NUMBER(magnetic_variation, magnetic_var, "magvar") \
  NUMBER(epx, epx, "epx")                            \
  NUMBER(epy, epy, "epy")                            \
  NUMBER(eph, eph, "eph")                            \
  NUMBER(epv, epv, "epv")                            \
  NUMBER(eps, eps, "eps")                            \
  NUMBER(epd, epd, "epd")

/// One line of gpsd, flattened. Only the members of the line's class are valid.
///
/// An absent number is NAN, an absent integer -1. Numbers are as gpsd sent them: their ranges are not checked here.
typedef struct {
  cgps_class class;
  /// Seconds since 1970. TPV, GST.
  double time;

  /// TPV.
  int mode;
  int status;
#define CGPS_MEMBER(member, in_libgps, name) double member;
  CGPS_POSITION_NUMBERS(CGPS_MEMBER)
#undef CGPS_MEMBER
  /// u-blox's indicator of jamming, from 0 to 255; gpsd 3.26 and later report it, unless it is 0.
  int jamming;
  /// The antenna's line: 1 is connected, 2 open, 3 shorted; gpsd 3.26 and later report it, unless it is unknown, which is 0.
  int antenna;

  /// SKY. Some reports have no list of satellites, which differs from an empty list.
  bool has_satellites;
  size_t satellite_count;
  double hdop, vdop, pdop;

  /// ATT. `is_magnetic`: `heading` was measured by a magnetic compass.
  double heading, magnetic_heading;
  bool is_magnetic;

  /// GST: standard deviations, metres.
  double latitude_deviation, longitude_deviation, altitude_deviation;

  /// DEVICE. `activated`: 1 opened, 0 closed or gone, -1 absent. `cycle`: seconds between two reports.
  int activated;
  double cycle;

  /// VERSION.
  int protocol_major, protocol_minor;
} cgps_report;

/// The texts of a line.
typedef enum {
  /// The receiver's path, of every class that has one ("device", or "path" of a DEVICE).
  CGPS_TEXT_DEVICE,
  /// DEVICE.
  CGPS_TEXT_DRIVER,
  CGPS_TEXT_SUBTYPE,
  /// VERSION.
  CGPS_TEXT_RELEASE,
  /// ERROR.
  CGPS_TEXT_MESSAGE,
  /// ATT: the state of a magnetic compass.
  CGPS_TEXT_MAGNETIC_STATUS,
  CGPS_TEXT_COUNT,
} cgps_text;

/// Reads gpsd's lines with libgps. A parser may be used by one thread at a time; several parsers may exist.
typedef struct cgps_parser cgps_parser;

/// Returns NULL if there is no memory.
cgps_parser *cgps_parser_new(void);

struct gps_data_t;
/// Reads one line into the data of libgps.
typedef void cgps_unpack(char *line, struct gps_data_t *data);

/// Like `cgps_parser_new`, but a test has a library of its own in place of libgps.
cgps_parser *cgps_parser_new_with(cgps_unpack *unpack);
void cgps_parser_free(cgps_parser *parser);

/// Reads one line without its line end; it need not end in NUL.
cgps_report cgps_parse(cgps_parser *parser, const char *line, size_t length);

/// A text of the last line, valid until the next line; NULL if the line has none.
const char *cgps_line_text(const cgps_parser *parser, cgps_text text);

/// A satellite of the last SKY report; `index` is less than its `satellite_count`.
cgps_satellite cgps_line_satellite(const cgps_parser *parser, size_t index);

/// The API version of the libgps headers of this build, for the log.
int cgps_api_major(void);
int cgps_api_minor(void);
