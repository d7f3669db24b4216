#pragma once

#include <stdbool.h>
#include <stddef.h>

/// A small strict JSON reader over one line: it never allocates, never reads past the end, and gives up on nesting
/// deeper than CGPS_JSON_DEPTH.
enum { CGPS_JSON_DEPTH = 32 };

typedef struct {
  const char *at;
  const char *end;
} cgps_json;

typedef enum {
  CGPS_JSON_STRING,
  CGPS_JSON_NUMBER,
  CGPS_JSON_TRUE,
  CGPS_JSON_FALSE,
  CGPS_JSON_NULL,
  CGPS_JSON_OBJECT,
  CGPS_JSON_ARRAY,
} cgps_json_kind;

/// A value as it is written in the line; a string includes its quotes.
typedef struct {
  cgps_json_kind kind;
  const char *start;
  size_t length;
} cgps_json_value;

/// Skips white space, and `symbol` if it is next. Returns whether it was.
bool cgps_json_take(cgps_json *json, char symbol);

/// Whether only white space is left.
bool cgps_json_at_end(cgps_json *json);

/// Reads any value whole and checks its syntax. Returns false if the syntax is broken.
bool cgps_json_read(cgps_json *json, cgps_json_value *value);

/// Steps to the next member of an object or array. Call with `first` true after the opening bracket. Returns 1 if there
/// is a member, 0 after the closing bracket, -1 if the syntax is broken.
int cgps_json_next(cgps_json *json, bool first, char closing);

/// Reads the name of a member and its colon.
bool cgps_json_read_name(cgps_json *json, cgps_json_value *name);

/// Whether a string value equals this text. Returns false for a string with escapes.
bool cgps_json_equals(const cgps_json_value *string, const char *text);

/// Copies a string value without its quotes and with its escapes resolved. If `room` is too small, the copy is cut at a
/// character's boundary. The copy ends in NUL and has none inside: a NUL in the text becomes U+FFFD.
void cgps_json_copy(const cgps_json_value *string, char *copy, size_t room);
