#include "cgps_json.h"

#include <stdint.h>
#include <string.h>

static bool is_digit(char character) { return character >= '0' && character <= '9'; }

static int hex_value(char character) {
  if (is_digit(character)) return character - '0';
  if (character >= 'a' && character <= 'f') return character - 'a' + 10;
  if (character >= 'A' && character <= 'F') return character - 'A' + 10;
  return -1;
}

static void skip_space(cgps_json *json) {
  while (json->at < json->end && (*json->at == ' ' || *json->at == '\t' || *json->at == '\r' || *json->at == '\n')) {
    json->at++;
  }
}

bool cgps_json_take(cgps_json *json, char symbol) {
  skip_space(json);
  if (json->at == json->end || *json->at != symbol) return false;
  json->at++;
  return true;
}

bool cgps_json_at_end(cgps_json *json) {
  skip_space(json);
  return json->at == json->end;
}

int cgps_json_next(cgps_json *json, bool first, char closing) {
  if (cgps_json_take(json, closing)) return 0;
  if (!first && !cgps_json_take(json, ',')) return -1;
  return 1;
}

static bool read_string(cgps_json *json) {
  if (!cgps_json_take(json, '"')) return false;
  while (json->at < json->end) {
    char character = *json->at++;
    if (character == '"') return true;
    if ((unsigned char)character < 0x20) return false;
    if (character != '\\') continue;
    if (json->at == json->end) return false;
    char escape = *json->at++;
    if (escape == 'u') {
      for (int digit = 0; digit < 4; digit++, json->at++) {
        if (json->at == json->end || hex_value(*json->at) < 0) return false;
      }
    } else if (escape == 0 || strchr("\"\\/bfnrt", escape) == NULL) {
      return false;
    }
  }
  return false;
}

static bool read_digits(cgps_json *json) {
  if (json->at == json->end || !is_digit(*json->at)) return false;
  while (json->at < json->end && is_digit(*json->at)) json->at++;
  return true;
}

static bool read_number(cgps_json *json) {
  if (*json->at == '-') json->at++;
  if (json->at < json->end && *json->at == '0') {
    json->at++;
  } else if (!read_digits(json)) {
    return false;
  }
  if (json->at < json->end && *json->at == '.') {
    json->at++;
    if (!read_digits(json)) return false;
  }
  if (json->at < json->end && (*json->at == 'e' || *json->at == 'E')) {
    json->at++;
    if (json->at < json->end && (*json->at == '+' || *json->at == '-')) json->at++;
    if (!read_digits(json)) return false;
  }
  return true;
}

static bool read_word(cgps_json *json, const char *word) {
  size_t length = strlen(word);
  if ((size_t)(json->end - json->at) < length || memcmp(json->at, word, length) != 0) return false;
  json->at += length;
  return true;
}

static bool read_value(cgps_json *json, cgps_json_value *value, int depth) {
  skip_space(json);
  if (json->at == json->end) return false;
  value->start = json->at;
  bool is_whole = false;
  switch (*json->at) {
    case '{':
    case '[': {
      bool is_object = *json->at++ == '{';
      value->kind = is_object ? CGPS_JSON_OBJECT : CGPS_JSON_ARRAY;
      if (depth == CGPS_JSON_DEPTH) return false;
      int next = 0;
      cgps_json_value inner;
      for (bool first = true; (next = cgps_json_next(json, first, is_object ? '}' : ']')) == 1; first = false) {
        if (is_object && !cgps_json_read_name(json, &inner)) return false;
        if (!read_value(json, &inner, depth + 1)) return false;
      }
      is_whole = next == 0;
      break;
    }
    case '"':
      value->kind = CGPS_JSON_STRING;
      is_whole = read_string(json);
      break;
    case 't':
      value->kind = CGPS_JSON_TRUE;
      is_whole = read_word(json, "true");
      break;
    case 'f':
      value->kind = CGPS_JSON_FALSE;
      is_whole = read_word(json, "false");
      break;
    case 'n':
      value->kind = CGPS_JSON_NULL;
      is_whole = read_word(json, "null");
      break;
    default:
      value->kind = CGPS_JSON_NUMBER;
      is_whole = read_number(json);
  }
  value->length = (size_t)(json->at - value->start);
  return is_whole;
}

bool cgps_json_read(cgps_json *json, cgps_json_value *value) { return read_value(json, value, 0); }

bool cgps_json_read_name(cgps_json *json, cgps_json_value *name) {
  skip_space(json);
  name->kind = CGPS_JSON_STRING;
  name->start = json->at;
  if (!read_string(json)) return false;
  name->length = (size_t)(json->at - name->start);
  return cgps_json_take(json, ':');
}

bool cgps_json_equals(const cgps_json_value *string, const char *text) {
  size_t length = strlen(text);
  return string->length == length + 2 && memcmp(string->start + 1, text, length) == 0;
}

/// The value of the four hexadecimal digits at `at`, whose syntax was checked before.
static uint32_t code_unit(const char *at) {
  uint32_t unit = 0;
  for (int digit = 0; digit < 4; digit++) unit = unit << 4 | (uint32_t)hex_value(at[digit]);
  return unit;
}

/// Reads an escape behind its backslash and moves past it.
static uint32_t unescape(const char **at, const char *end) {
  char escape = *(*at)++;
  switch (escape) {
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case 'u': break;
    default: return (unsigned char)escape;
  }
  uint32_t unit = code_unit(*at);
  *at += 4;
  if (unit >= 0xD800 && unit < 0xDC00 && end - *at >= 6 && (*at)[0] == '\\' && (*at)[1] == 'u') {
    uint32_t low = code_unit(*at + 2);
    if (low >= 0xDC00 && low < 0xE000) {
      *at += 6;
      return 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
    }
  }
  bool is_character = unit != 0 && (unit < 0xD800 || unit >= 0xE000);
  return is_character ? unit : 0xFFFD;
}

static size_t encode(uint32_t scalar, char bytes[4]) {
  if (scalar < 0x80) {
    bytes[0] = (char)scalar;
    return 1;
  }
  size_t length = scalar < 0x800 ? 2 : scalar < 0x10000 ? 3 : 4;
  for (size_t index = length - 1; index > 0; index--, scalar >>= 6) bytes[index] = (char)(0x80 | (scalar & 0x3F));
  static const unsigned char leads[] = {0, 0, 0xC0, 0xE0, 0xF0};
  bytes[0] = (char)(leads[length] | scalar);
  return length;
}

void cgps_json_copy(const cgps_json_value *string, char *copy, size_t room) {
  const char *at = string->start + 1, *end = string->start + string->length - 1;
  size_t used = 0;
  while (at < end) {
    char bytes[4] = {*at};
    size_t length = 1;
    if (*at == '\\') {
      at++;
      length = encode(unescape(&at, end), bytes);
    } else {
      // A character of several bytes is copied whole or not at all.
      at++;
      while ((unsigned char)bytes[0] >= 0xC0 && length < 4 && at < end && ((unsigned char)*at & 0xC0) == 0x80) {
        bytes[length++] = *at++;
      }
    }
    if (used + length >= room) break;
    memcpy(copy + used, bytes, length);
    used += length;
  }
  copy[used] = 0;
}
