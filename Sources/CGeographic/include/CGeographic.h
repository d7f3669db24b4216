// Grids and notations of places, by GeographicLib, which is C++. Its exceptions end here: each function returns whether it
// succeeded, and writes its results only then.
//
// Angles are degrees on the WGS 84 ellipsoid, lengths metres.
#ifndef CGEOGRAPHIC_H
#define CGEOGRAPHIC_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// The longest text that these functions write, with its terminator.
#define CGEOGRAPHIC_TEXT 64

// A place of the Universal Transverse Mercator, or of the Universal Polar Stereographic where that ends.
struct cgeographic_grid {
  // 1...60; 0 is UPS.
  int zone;
  bool is_north;
  double easting;
  double northing;
};

// In the place's own zone, with the exceptions of Norway and Svalbard.
bool cgeographic_grid(double latitude, double longitude, struct cgeographic_grid *grid);
bool cgeographic_place_of_grid(const struct cgeographic_grid *grid, double *latitude, double *longitude);

// digits: how many of each coordinate, 0...5.
bool cgeographic_mgrs(double latitude, double longitude, int digits, char text[CGEOGRAPHIC_TEXT]);
// The middle of the square.
bool cgeographic_place_of_mgrs(const char *text, double *latitude, double *longitude);

// length: 1...18.
bool cgeographic_geohash(double latitude, double longitude, int length, char text[CGEOGRAPHIC_TEXT]);
// The middle of the cell.
bool cgeographic_place_of_geohash(const char *text, double *latitude, double *longitude);

// Two angles in degrees, minutes and seconds, of which one may come with N or S, the other with E or W.
bool cgeographic_place_of_angles(const char *first, const char *second, double *latitude, double *longitude);

#ifdef __cplusplus
}
#endif

#endif
