#include "cgps_geodesic.h"

#include <math.h>

#include "cgps_libgps.h"

cgps_geodesic cgps_distance_and_bearing(double latitude_1, double longitude_1, double latitude_2, double longitude_2) {
  if (!cgps_has_libgps()) return (cgps_geodesic){.distance = NAN, .bearing = NAN};
  // For identical points libgps does not write the bearings, hence the initial values.
  double initial = NAN, final = NAN;
  cgps_geodesic result = {
      .distance =
          earth_distance_and_bearings(latitude_1, longitude_1, latitude_2, longitude_2, &initial, &final),
      .bearing = NAN,
  };
  if (!isfinite(result.distance)) {
    result.distance = NAN;
  } else if (result.distance > 0 && isfinite(initial)) {
    double degrees = fmod(initial * RAD_2_DEG + 360.0, 360.0);
    result.bearing = degrees < 360.0 ? degrees : 0.0;
  }
  return result;
}
