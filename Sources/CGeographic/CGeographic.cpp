#include "CGeographic.h"

#include <cmath>
#include <cstring>
#include <exception>
#include <string>

#include <GeographicLib/DMS.hpp>
#include <GeographicLib/Geohash.hpp>
#include <GeographicLib/MGRS.hpp>
#include <GeographicLib/UTMUPS.hpp>

using namespace GeographicLib;

// Wrong input makes GeographicLib throw, which must not reach Swift.
template <typename Body> static bool succeeds(Body body) noexcept {
  try {
    return body();
  } catch (const std::exception &) {
    return false;
  }
}

static bool copy(const std::string &from, char text[CGEOGRAPHIC_TEXT]) {
  if (from.size() >= CGEOGRAPHIC_TEXT) return false;
  std::memcpy(text, from.c_str(), from.size() + 1);
  return true;
}

// GeographicLib reads "INVALID" and empty texts as a place that is not a number.
static bool set(double latitude, double longitude, double *to_latitude, double *to_longitude) {
  if (!std::isfinite(latitude) || !std::isfinite(longitude)) return false;
  *to_latitude = latitude;
  *to_longitude = longitude;
  return true;
}

extern "C" bool cgeographic_grid(double latitude, double longitude, struct cgeographic_grid *grid) {
  return succeeds([&] {
    UTMUPS::Forward(latitude, longitude, grid->zone, grid->is_north, grid->easting, grid->northing);
    return grid->zone >= 0;
  });
}

extern "C" bool cgeographic_place_of_grid(const struct cgeographic_grid *grid, double *latitude, double *longitude) {
  return succeeds([&] {
    double north, east;
    UTMUPS::Reverse(grid->zone, grid->is_north, grid->easting, grid->northing, north, east);
    return set(north, east, latitude, longitude);
  });
}

extern "C" bool cgeographic_mgrs(double latitude, double longitude, int digits, char text[CGEOGRAPHIC_TEXT]) {
  return succeeds([&] {
    int zone;
    bool is_north;
    double easting, northing;
    std::string mgrs;
    UTMUPS::Forward(latitude, longitude, zone, is_north, easting, northing);
    MGRS::Forward(zone, is_north, easting, northing, latitude, digits, mgrs);
    return zone >= 0 && copy(mgrs, text);
  });
}

extern "C" bool cgeographic_place_of_mgrs(const char *text, double *latitude, double *longitude) {
  return succeeds([&] {
    int zone, digits;
    bool is_north;
    double easting, northing, north, east;
    MGRS::Reverse(text, zone, is_north, easting, northing, digits);
    UTMUPS::Reverse(zone, is_north, easting, northing, north, east);
    return set(north, east, latitude, longitude);
  });
}

extern "C" bool cgeographic_geohash(double latitude, double longitude, int length, char text[CGEOGRAPHIC_TEXT]) {
  return succeeds([&] {
    std::string geohash;
    Geohash::Forward(latitude, longitude, length, geohash);
    return copy(geohash, text);
  });
}

extern "C" bool cgeographic_place_of_geohash(const char *text, double *latitude, double *longitude) {
  return succeeds([&] {
    int length;
    double north, east;
    Geohash::Reverse(text, north, east, length);
    return set(north, east, latitude, longitude);
  });
}

extern "C" bool cgeographic_place_of_angles(
    const char *first, const char *second, double *latitude, double *longitude) {
  return succeeds([&] {
    double north, east;
    DMS::DecodeLatLon(first, second, north, east);
    return set(north, east, latitude, longitude);
  });
}
