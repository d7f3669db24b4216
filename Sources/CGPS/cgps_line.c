// Why a copy: libgps silently stops reading an object at the first value that it did not expect - an unknown array, an
// unknown object, in some classes any unknown member, a string of more than 511 characters, null. The members behind it
// keep their old values. So libgps gets only members of this table, and only if their type and range are right.

#define _POSIX_C_SOURCE 200809L
#include "cgps_line.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "cgps_json.h"

typedef enum { REAL, INTEGER, BOOLEAN, TIME } member_kind;

/// A place of a member whose value is not taken from libgps.
enum { NOT_TAKEN = -1 };

typedef struct {
  const char *name;
  member_kind kind;
  /// The range of an INTEGER.
  int least, most;
  /// Where the report, or the satellite, has the value that libgps read.
  long place;
} member;

#define REPORT(member) (long)offsetof(cgps_report, member)
#define SATELLITE(member) (long)offsetof(cgps_satellite, member)

static const member tpv_members[] = {
    {"time", TIME, 0, 0, REPORT(time)},
    {"mode", INTEGER, 0, 9, REPORT(mode)},
    {"status", INTEGER, 0, 99, REPORT(status)},
#define TPV_MEMBER(member, in_libgps, name) {name, REAL, 0, 0, REPORT(member)},
    CGPS_POSITION_NUMBERS(TPV_MEMBER)
#undef TPV_MEMBER
    {NULL, REAL, 0, 0, NOT_TAKEN},
};
static const member sky_members[] = {
    {"hdop", REAL, 0, 0, REPORT(hdop)},
    {"vdop", REAL, 0, 0, REPORT(vdop)},
    {"pdop", REAL, 0, 0, REPORT(pdop)},
    {NULL, REAL, 0, 0, NOT_TAKEN},
};
static const member satellite_members[] = {
    {"PRN", INTEGER, 1, 32767, SATELLITE(prn)},
    {"gnssid", INTEGER, 0, 255, SATELLITE(gnssid)},
    {"svid", INTEGER, 0, 255, SATELLITE(svid)},
    {"el", REAL, 0, 0, SATELLITE(elevation)},
    {"az", REAL, 0, 0, SATELLITE(azimuth)},
    {"ss", REAL, 0, 0, SATELLITE(snr)},
    {"used", BOOLEAN, 0, 0, SATELLITE(used)},
    {NULL, REAL, 0, 0, NOT_TAKEN},
};
static const member att_members[] = {
    {"heading", REAL, 0, 0, REPORT(heading)},
// The macro exists since release 3.25, which introduced the magnetic heading.
#ifdef EOF_SET
    {"mheading", REAL, 0, 0, REPORT(magnetic_heading)},
#endif
    {NULL, REAL, 0, 0, NOT_TAKEN},
};
static const member gst_members[] = {
    {"time", TIME, 0, 0, REPORT(time)},
    {"lat", REAL, 0, 0, REPORT(latitude_deviation)},
    {"lon", REAL, 0, 0, REPORT(longitude_deviation)},
    {"alt", REAL, 0, 0, REPORT(altitude_deviation)},
    {NULL, REAL, 0, 0, NOT_TAKEN},
};
static const member device_members[] = {{"cycle", REAL, 0, 0, REPORT(cycle)}, {NULL, REAL, 0, 0, NOT_TAKEN}};
static const member watch_members[] = {{"enable", BOOLEAN, 0, 0, NOT_TAKEN}, {NULL, REAL, 0, 0, NOT_TAKEN}};
static const member version_members[] = {
    {"proto_major", INTEGER, 0, 9999, NOT_TAKEN},
    {"proto_minor", INTEGER, 0, 9999, NOT_TAKEN},
    {NULL, REAL, 0, 0, NOT_TAKEN},
};

static const struct {
  const char *name;
  cgps_class class;
  const member *members;
} classes[] = {
    {"TPV", CGPS_TPV, tpv_members},       {"SKY", CGPS_SKY, sky_members},
    {"ATT", CGPS_ATT, att_members},       {"GST", CGPS_GST, gst_members},
    {"DEVICE", CGPS_DEVICE, device_members}, {"DEVICES", CGPS_DEVICES, NULL},
    {"WATCH", CGPS_WATCH, watch_members}, {"VERSION", CGPS_VERSION, version_members},
    {"ERROR", CGPS_ERROR, NULL},
};
enum { CLASS_COUNT = sizeof classes / sizeof classes[0] };

cgps_class cgps_line_class(const char *text, size_t length) {
  static const char prefix[] = "{\"class\":\"";
  size_t prefix_length = sizeof prefix - 1;
  if (length < prefix_length || memcmp(text, prefix, prefix_length) != 0) return CGPS_INVALID;
  text += prefix_length;
  length -= prefix_length;
  const char *quote = memchr(text, '"', length);
  if (quote == NULL) return CGPS_INVALID;
  for (size_t index = 0; index < CLASS_COUNT; index++) {
    size_t name_length = strlen(classes[index].name);
    if ((size_t)(quote - text) == name_length && memcmp(text, classes[index].name, name_length) == 0) {
      return classes[index].class;
    }
  }
  return CGPS_IGNORED;
}

static bool append(cgps_line *line, const char *text, size_t length) {
  if (length >= sizeof line->copy - line->copy_length) return false;
  memcpy(line->copy + line->copy_length, text, length);
  line->copy_length += length;
  line->copy[line->copy_length] = 0;
  return true;
}

static bool append_text(cgps_line *line, const char *text) { return append(line, text, strlen(text)); }

/// Reads a decimal integer of at most nine digits.
static bool read_integer(const cgps_json_value *value, int *integer) {
  size_t index = value->start[0] == '-' ? 1 : 0;
  if (value->length - index > 9) return false;
  int magnitude = 0;
  for (size_t at = index; at < value->length; at++) {
    if (value->start[at] < '0' || value->start[at] > '9') return false;
    magnitude = magnitude * 10 + (value->start[at] - '0');
  }
  *integer = index == 1 ? -magnitude : magnitude;
  return true;
}

/// Whether a string is a time as gpsd writes it, 2026-08-20T12:34:56.000Z: libgps parses any text as a date.
static bool is_time(const cgps_json_value *value) {
  static const char form[] = "\"0000-00-00T00:00:00";
  enum { WHOLE = sizeof form - 1 };
  if (value->length < WHOLE + 2 || value->length > WHOLE + 12) return false;
  for (size_t index = 0; index < WHOLE; index++) {
    char is = value->start[index];
    if (form[index] == '0' ? is < '0' || is > '9' : is != form[index]) return false;
  }
  const char *at = value->start + WHOLE, *end = value->start + value->length - 1;
  if (*at == '.') {
    for (at++; at < end && *at >= '0' && *at <= '9'; at++) {
    }
  }
  if (end - at != 1 || *at != 'Z') return false;
  const char *text = value->start + 1;
#define TWO_DIGITS(index) ((text[index] - '0') * 10 + (text[(index) + 1] - '0'))
  int month = TWO_DIGITS(5), day = TWO_DIGITS(8);
  return TWO_DIGITS(0) >= 19 && month >= 1 && month <= 12 && day >= 1 && day <= 31 && TWO_DIGITS(11) < 24 &&
         TWO_DIGITS(14) < 60 && TWO_DIGITS(17) <= 60;
#undef TWO_DIGITS
}

static bool is_fit(const member *member, const cgps_json_value *value) {
  // Longer numbers carry no more information, and libgps has 512 bytes for a value.
  enum { NUMBER_LENGTH = 64 };
  int integer = 0;
  switch (member->kind) {
    case REAL: return value->kind == CGPS_JSON_NUMBER && value->length <= NUMBER_LENGTH;
    case INTEGER:
      return value->kind == CGPS_JSON_NUMBER && read_integer(value, &integer) && integer >= member->least &&
             integer <= member->most;
    case BOOLEAN: return value->kind == CGPS_JSON_TRUE || value->kind == CGPS_JSON_FALSE;
    case TIME: return value->kind == CGPS_JSON_STRING && is_time(value);
  }
  return false;
}

/// Copies a member that is in the table, if its type and range are right. Returns the member, or NULL if it was left
/// out; sets `is_full` if the copy has no room.
static const member *copy_member(
    cgps_line *line, const member *members, const cgps_json_value *name, const cgps_json_value *value, bool *is_full) {
  for (const member *known = members; known->name != NULL; known++) {
    if (!cgps_json_equals(name, known->name)) continue;
    if (!is_fit(known, value)) return NULL;
    bool needs_comma = line->copy[line->copy_length - 1] != '{';
    bool fits = append_text(line, needs_comma ? "," : "") && append(line, name->start, name->length) &&
                append_text(line, ":") && append(line, value->start, value->length);
    if (!fits) *is_full = true;
    return fits ? known : NULL;
  }
  return NULL;
}

/// Copies one satellite, if it has a number and libgps's list has room for it.
static bool copy_satellite(cgps_line *line, cgps_json *json) {
  if (!cgps_json_take(json, '{')) return false;
  size_t start = line->copy_length;
  bool is_full = line->satellite_count == MAXCHANNELS || !append_text(line, line->satellite_count > 0 ? ",{" : "{");
  bool has_gnssid = false, has_svid = false, has_prn = false;
  int next = 0;
  for (bool first = true; (next = cgps_json_next(json, first, '}')) == 1; first = false) {
    cgps_json_value name, value;
    if (!cgps_json_read_name(json, &name) || !cgps_json_read(json, &value)) return false;
    if (is_full) continue;
    const member *copied = copy_member(line, satellite_members, &name, &value, &is_full);
    if (copied == NULL) continue;
    has_prn = has_prn || strcmp(copied->name, "PRN") == 0;
    has_svid = has_svid || strcmp(copied->name, "svid") == 0;
    has_gnssid = has_gnssid || strcmp(copied->name, "gnssid") == 0;
  }
  if (next != 0) return false;
  if (is_full || !(has_prn || has_svid) || !append_text(line, "}")) {
    line->copy_length = start;
    line->copy[start] = 0;
  } else {
    line->satellite_has_system[line->satellite_count++] = has_gnssid && has_svid;
  }
  return true;
}

/// Copies the list of "satellites". A second list of the same line is checked and left out, and so are elements that
/// are not objects.
static bool read_satellites(cgps_line *line, const cgps_json_value *list) {
  if (line->has_satellites) return true;
  line->has_satellites = true;
  cgps_json json = {list->start + 1, list->start + list->length};
  bool needs_comma = line->copy[line->copy_length - 1] != '{';
  if (!append_text(line, needs_comma ? ",\"satellites\":[" : "\"satellites\":[")) return false;
  for (bool first = true; cgps_json_next(&json, first, ']') == 1; first = false) {
    cgps_json_value element;
    if (!cgps_json_read(&json, &element)) return false;
    if (element.kind != CGPS_JSON_OBJECT) continue;
    cgps_json inner = {element.start, element.start + element.length};
    if (!copy_satellite(line, &inner)) return false;
  }
  return append_text(line, "]");
}

/// The texts of a class.
static const struct {
  cgps_class class;
  const char *name;
  cgps_text text;
} texts[] = {
    {CGPS_TPV, "device", CGPS_TEXT_DEVICE},     {CGPS_SKY, "device", CGPS_TEXT_DEVICE},
    {CGPS_ATT, "device", CGPS_TEXT_DEVICE},     {CGPS_GST, "device", CGPS_TEXT_DEVICE},
    {CGPS_WATCH, "device", CGPS_TEXT_DEVICE},   {CGPS_DEVICE, "path", CGPS_TEXT_DEVICE},
    {CGPS_DEVICE, "driver", CGPS_TEXT_DRIVER},  {CGPS_DEVICE, "subtype", CGPS_TEXT_SUBTYPE},
    {CGPS_VERSION, "release", CGPS_TEXT_RELEASE}, {CGPS_ATT, "mag_st", CGPS_TEXT_MAGNETIC_STATUS},
};

/// The integers that are read here.
static const struct {
  cgps_class class;
  const char *name;
  size_t place;
} numbers[] = {
    {CGPS_VERSION, "proto_major", offsetof(cgps_line, protocol_major)},
    {CGPS_VERSION, "proto_minor", offsetof(cgps_line, protocol_minor)},
};

/// Copies the values that libgps would cut or confuse.
static void pick(cgps_line *line, cgps_class class, const cgps_json_value *name, const cgps_json_value *value) {
  for (size_t index = 0; index < sizeof texts / sizeof texts[0]; index++) {
    if (texts[index].class == class && value->kind == CGPS_JSON_STRING && cgps_json_equals(name, texts[index].name)) {
      cgps_json_copy(value, line->texts[texts[index].text], CGPS_TEXT_ROOM);
    }
  }
  // No libgps before 3.26 has a place for these.
  int number = 0;
  if (class == CGPS_TPV && value->kind == CGPS_JSON_NUMBER && read_integer(value, &number) && number >= 0) {
    if (cgps_json_equals(name, "jam") && number <= 255) line->jamming = number;
    if (cgps_json_equals(name, "ant") && number <= 3) line->antenna = number;
  }
  if (class == CGPS_DEVICE && cgps_json_equals(name, "activated")) {
    // The date of the device's last data, or the number 0.
    bool is_zero = value->kind == CGPS_JSON_NUMBER && value->start[0] == '0';
    line->activated = value->kind == CGPS_JSON_STRING || (value->kind == CGPS_JSON_NUMBER && !is_zero);
  }
}

void cgps_line_clear(cgps_line *line) {
  line->copy_length = 0;
  for (size_t text = 0; text < CGPS_TEXT_COUNT; text++) line->texts[text][0] = 0;
  line->activated = line->protocol_major = line->protocol_minor = line->jamming = line->antenna = -1;
  line->has_time = line->has_satellites = false;
  line->satellite_count = 0;
}

bool cgps_line_read(cgps_line *line, cgps_class class, const char *text, size_t length) {
  size_t index = 0;
  while (index < CLASS_COUNT && classes[index].class != class) index++;
  if (index == CLASS_COUNT || classes[index].members == NULL) return false;
  const member *members = classes[index].members;

  bool is_full = !(append_text(line, "{\"class\":\"") && append_text(line, classes[index].name) &&
                   append_text(line, "\""));

  cgps_json json = {text, text + length};
  if (!cgps_json_take(&json, '{')) return false;
  int next = 0;
  for (bool first = true; (next = cgps_json_next(&json, first, '}')) == 1; first = false) {
    cgps_json_value name, value;
    if (!cgps_json_read_name(&json, &name) || !cgps_json_read(&json, &value)) return false;
    if (class == CGPS_SKY && value.kind == CGPS_JSON_ARRAY && cgps_json_equals(&name, "satellites")) {
      if (!read_satellites(line, &value)) return false;
      continue;
    }
    pick(line, class, &name, &value);
    const member *copied = copy_member(line, members, &name, &value, &is_full);
    if (copied == NULL) continue;
    if (copied->kind == TIME) line->has_time = true;
    for (size_t number = 0; number < sizeof numbers / sizeof numbers[0]; number++) {
      if (numbers[number].class == class && strcmp(copied->name, numbers[number].name) == 0) {
        read_integer(&value, (int *)((char *)line + numbers[number].place));
      }
    }
  }
  // Without "nSat", whatever its value, 3.25 does not report that it read a SKY.
  if (class == CGPS_SKY && !append_text(line, ",\"nSat\":0")) is_full = true;
  return next == 0 && cgps_json_at_end(&json) && append_text(line, "}") && !is_full;
}

void cgps_line_read_error(cgps_line *line, const char *text, size_t length) {
  static const char key[] = "\"message\":\"";
  char *message = line->texts[CGPS_TEXT_MESSAGE];
  const char *end = text + length;
  for (const char *at = text; (size_t)(end - at) >= sizeof key - 1; at++) {
    if (memcmp(at, key, sizeof key - 1) != 0) continue;
    const char *start = at + sizeof key - 1;
    // The message ends at the last quote of the line, whatever is in between: it is for people to read.
    do end--; while (end > start && *end != '"');
    size_t used = 0;
    for (; start < end && used + 1 < CGPS_TEXT_ROOM; start++) {
      bool is_escaped_quote = *start == '\\' && start + 1 < end && start[1] == '"';
      if (!is_escaped_quote) message[used++] = (unsigned char)*start < 0x20 ? ' ' : *start;
    }
    message[used] = 0;
    return;
  }
}

// The probe.

/// The number of a member of a probe, which every member of every satellite has differently. Its fraction is exact in
/// binary. A REAL stays below 180, and the others are within the ranges of all of their members.
static double probe_number(const member *member, size_t index, size_t satellite) {
  switch (member->kind) {
    case REAL: return 1.5 + (double)index + 0.25 * (double)(satellite % 500);
    // In the range of each: modes are below 10, numbers within a system below 256.
    case INTEGER: return (double)(2 + (index + satellite) % (member->most < 200 ? 7 : 200));
    case BOOLEAN: return satellite % 2 == 0 ? 1 : 0;
    case TIME: return 1000000000.5;
  }
  return 0;
}

static const char probe_time[] = "\"2001-09-09T01:46:40.500Z\"";

static const member *members_of(cgps_class class) {
  for (size_t index = 0; index < CLASS_COUNT; index++) {
    if (classes[index].class == class) return classes[index].members;
  }
  return NULL;
}

static void write_members(const member *members, size_t satellite, FILE *text) {
  for (size_t index = 0; members[index].name != NULL; index++) {
    double number = probe_number(&members[index], index, satellite);
    fprintf(text, "%s\"%s\":", index > 0 ? "," : "", members[index].name);
    switch (members[index].kind) {
      case REAL: fprintf(text, "%.2f", number); break;
      case INTEGER: fprintf(text, "%d", (int)number); break;
      case BOOLEAN: fputs(number != 0 ? "true" : "false", text); break;
      case TIME: fputs(probe_time, text); break;
    }
  }
}

size_t cgps_line_write_probe(cgps_class class, char *text, size_t room) {
  const member *members = members_of(class);
  FILE *stream = members != NULL ? fmemopen(text, room, "w") : NULL;
  if (stream == NULL) return 0;
  for (size_t index = 0; index < CLASS_COUNT; index++) {
    if (classes[index].class == class) fprintf(stream, "{\"class\":\"%s\",", classes[index].name);
  }
  write_members(members, 0, stream);
  if (class == CGPS_SKY) {
    fputs(",\"satellites\":[", stream);
    for (size_t satellite = 0; satellite < MAXCHANNELS; satellite++) {
      fputs(satellite > 0 ? ",{" : "{", stream);
      write_members(satellite_members, satellite, stream);
      fputs("}", stream);
    }
    fputs("]", stream);
  }
  fputs("}", stream);
  long length = ftell(stream);
  bool is_whole = fclose(stream) == 0 && length > 0 && (size_t)length < room;
  return is_whole ? (size_t)length : 0;
}

static bool has_members(const member *members, size_t satellite, const void *values) {
  for (size_t index = 0; members[index].name != NULL; index++) {
    if (members[index].place == NOT_TAKEN) continue;
    const char *place = (const char *)values + members[index].place;
    double expected = probe_number(&members[index], index, satellite), found = 0;
    switch (members[index].kind) {
      case REAL:
      case TIME: found = *(const double *)place; break;
      case INTEGER: found = *(const int *)place; break;
      case BOOLEAN: found = *(const bool *)place ? 1 : 0; break;
    }
    // Also false for what is not a number.
    if (!(found > expected - 1e-6 && found < expected + 1e-6)) return false;
  }
  return true;
}

bool cgps_line_matches_probe(const cgps_report *report, const cgps_satellite *satellites) {
  const member *members = members_of(report->class);
  if (members == NULL || !has_members(members, 0, report)) return false;
  for (size_t satellite = 0; satellite < report->satellite_count; satellite++) {
    if (!has_members(satellite_members, satellite, &satellites[satellite])) return false;
  }
  return true;
}
