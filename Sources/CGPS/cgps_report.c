#include "cgps_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cgps_libgps.h"
#include "cgps_line.h"

// Each member is detected by the macro of the release that introduced it: layouts changed within one API number.
#ifdef EOF_SET
#define MAGNETIC_HEADING(data) ((data)->attitude.mheading)
#else
#define MAGNETIC_HEADING(data) NAN
#endif

/// Whether the loaded library and the headers agree.
typedef enum { UNKNOWN, SAME, SKEWED } layout;

struct cgps_parser {
  struct gps_data_t data;
  /// For what a library with a larger layout writes behind the end of this one: twice the largest there ever was.
  char spare[131072];
  cgps_line line;
  cgps_unpack *unpack;
  layout layout;
};

static void unpack(char *line, struct gps_data_t *data) {
  // The return value differs between releases; the set mask shows what was read.
  gps_unpack(line, data);
}

cgps_parser *cgps_parser_new(void) { return cgps_parser_new_with(unpack); }

cgps_parser *cgps_parser_new_with(cgps_unpack *unpack) {
  cgps_parser *parser = calloc(1, sizeof(cgps_parser));
  if (parser != NULL) parser->unpack = unpack;
  return parser;
}

void cgps_parser_free(cgps_parser *parser) { free(parser); }

int cgps_api_major(void) { return GPSD_API_MAJOR_VERSION; }
int cgps_api_minor(void) { return GPSD_API_MINOR_VERSION; }

static double seconds(timespec_t time) { return (double)time.tv_sec + (double)time.tv_nsec / 1e9; }

static cgps_report empty_report(cgps_class class) {
  return (cgps_report){
      .class = class,
      .time = NAN,
      .mode = -1,
      .status = -1,
#define ABSENT(member, in_libgps, name) .member = NAN,
      CGPS_POSITION_NUMBERS(ABSENT)
#undef ABSENT
      .jamming = -1,
      .antenna = -1,
      .hdop = NAN,
      .vdop = NAN,
      .pdop = NAN,
      .heading = NAN,
      .magnetic_heading = NAN,
      .latitude_deviation = NAN,
      .longitude_deviation = NAN,
      .altitude_deviation = NAN,
      .activated = -1,
      .cycle = NAN,
      .protocol_major = -1,
      .protocol_minor = -1,
  };
}

static void take_position(cgps_report *report, const struct gps_fix_t *fix, bool has_time) {
  if (has_time) report->time = seconds(fix->time);
  report->mode = fix->mode;
  report->status = fix->status;
#define TAKE(member, in_libgps, name) report->member = fix->in_libgps;
  CGPS_POSITION_NUMBERS(TAKE)
#undef TAKE
}

/// Clears what libgps will fill in, so that nothing remains of an earlier line or of another class in the same union.
static void prepare(struct gps_data_t *data, cgps_class class) {
  data->set = 0;
  switch (class) {
    case CGPS_TPV: gps_clear_fix(&data->fix); break;
    case CGPS_SKY: gps_clear_dop(&data->dop); break;
    case CGPS_ATT: gps_clear_att(&data->attitude); break;
    case CGPS_GST: memset(&data->gst, 0, sizeof data->gst); break;
    case CGPS_DEVICE: memset(&data->dev, 0, sizeof data->dev); break;
    case CGPS_WATCH: memset(&data->policy, 0, sizeof data->policy); break;
    case CGPS_INVALID:
    case CGPS_IGNORED:
    case CGPS_VERSION:
    case CGPS_DEVICES:
    case CGPS_ERROR:
    case CGPS_SKEWED: break;
  }
}

/// Copies what libgps filled in. Returns false if libgps did not recognise the line's class.
static bool take(cgps_report *report, const struct gps_data_t *data, const cgps_line *line) {
  switch (report->class) {
    case CGPS_TPV:
      take_position(report, &data->fix, line->has_time);
      report->jamming = line->jamming;
      report->antenna = line->antenna;
      return (data->set & STATUS_SET) != 0;
    case CGPS_SKY:
      report->hdop = data->dop.hdop;
      report->vdop = data->dop.vdop;
      report->pdop = data->dop.pdop;
      report->has_satellites = line->has_satellites;
      report->satellite_count = line->satellite_count;
      return (data->set & SATELLITE_SET) != 0;
    case CGPS_ATT:
      report->heading = data->attitude.heading;
      report->magnetic_heading = MAGNETIC_HEADING(data);
      report->is_magnetic = line->texts[CGPS_TEXT_MAGNETIC_STATUS][0] != 0;
      return (data->set & ATTITUDE_SET) != 0;
    case CGPS_GST:
      if (line->has_time) report->time = seconds(data->gst.utctime);
      report->latitude_deviation = data->gst.lat_err_deviation;
      report->longitude_deviation = data->gst.lon_err_deviation;
      report->altitude_deviation = data->gst.alt_err_deviation;
      return (data->set & GST_SET) != 0;
    case CGPS_DEVICE:
      report->activated = line->activated;
      report->cycle = seconds(data->dev.cycle);
      return (data->set & DEVICE_SET) != 0;
    case CGPS_WATCH: return (data->set & POLICY_SET) != 0;
    case CGPS_INVALID:
    case CGPS_IGNORED:
    case CGPS_VERSION:
    case CGPS_DEVICES:
    case CGPS_ERROR:
    case CGPS_SKEWED: return false;
  }
  return false;
}

/// Has libgps read a line of a class that positiond uses.
static cgps_report read_line(cgps_parser *parser, cgps_class class, const char *text, size_t length) {
  cgps_line_clear(&parser->line);
  if (!cgps_line_read(&parser->line, class, text, length)) return empty_report(CGPS_INVALID);
  cgps_report report = empty_report(class);
  prepare(&parser->data, class);
  parser->unpack(parser->line.copy, &parser->data);
  return take(&report, &parser->data, &parser->line) ? report : empty_report(CGPS_INVALID);
}

/// Whether libgps puts every value where this build looks for it.
///
/// Layouts changed more than once without a new name of the library: what sits elsewhere then is wrong in silence, however
/// right the rest is. So the library reads one line of each class whose values are known, all members and all satellites,
/// before it reads anything of gpsd.
static layout find_layout(cgps_parser *parser) {
  static const cgps_class classes[] = {CGPS_TPV, CGPS_SKY, CGPS_ATT, CGPS_GST, CGPS_DEVICE};
  char *text = malloc(CGPS_COPY_ROOM);
  cgps_satellite *satellites = calloc(MAXCHANNELS, sizeof *satellites);
  // Without memory nothing is known: the next line tries again.
  layout found = text != NULL && satellites != NULL ? SAME : UNKNOWN;
  for (size_t index = 0; found == SAME && index < sizeof classes / sizeof classes[0]; index++) {
    size_t length = cgps_line_write_probe(classes[index], text, CGPS_COPY_ROOM);
    cgps_report report = read_line(parser, classes[index], text, length);
    for (size_t number = 0; number < report.satellite_count; number++) {
      satellites[number] = cgps_line_satellite(parser, number);
    }
    if (!cgps_line_matches_probe(&report, satellites)) found = SKEWED;
  }
  free(satellites);
  free(text);
  memset(&parser->data, 0, sizeof parser->data);
  return found;
}

cgps_report cgps_parse(cgps_parser *parser, const char *text, size_t length) {
  cgps_report report = empty_report(cgps_line_class(text, length));
  cgps_line_clear(&parser->line);
  switch (report.class) {
    case CGPS_INVALID:
    case CGPS_IGNORED:
    case CGPS_DEVICES:
    case CGPS_SKEWED: return report;
    case CGPS_ERROR: cgps_line_read_error(&parser->line, text, length); return report;
    case CGPS_TPV:
    case CGPS_SKY:
    case CGPS_ATT:
    case CGPS_GST:
    case CGPS_DEVICE:
    case CGPS_WATCH:
    case CGPS_VERSION: break;
  }
  if (report.class == CGPS_VERSION) {
    if (!cgps_line_read(&parser->line, report.class, text, length)) return empty_report(CGPS_INVALID);
    report.protocol_major = parser->line.protocol_major;
    report.protocol_minor = parser->line.protocol_minor;
    return report;
  }
  if (!cgps_has_libgps()) return empty_report(CGPS_IGNORED);
  if (parser->layout == UNKNOWN) parser->layout = find_layout(parser);
  if (parser->layout != SAME) return empty_report(parser->layout == SKEWED ? CGPS_SKEWED : CGPS_IGNORED);
  return read_line(parser, report.class, text, length);
}

const char *cgps_line_text(const cgps_parser *parser, cgps_text text) {
  return text < CGPS_TEXT_COUNT && parser->line.texts[text][0] != 0 ? parser->line.texts[text] : NULL;
}

cgps_satellite cgps_line_satellite(const cgps_parser *parser, size_t index) {
  cgps_satellite satellite = {.gnssid = -1, .svid = -1, .prn = -1, .elevation = NAN, .azimuth = NAN, .snr = NAN};
  if (index >= parser->line.satellite_count) return satellite;
  const struct satellite_t *seen = &parser->data.skyview[index];
  // gpsd's documentation: the system is meaningless if the number within it is zero.
  if (parser->line.satellite_has_system[index] && seen->svid != 0) {
    satellite.gnssid = seen->gnssid;
    satellite.svid = seen->svid;
  }
  if (seen->PRN > 0) satellite.prn = seen->PRN;
  satellite.elevation = seen->elevation;
  satellite.azimuth = seen->azimuth;
  satellite.snr = seen->ss;
  satellite.used = seen->used;
  return satellite;
}
