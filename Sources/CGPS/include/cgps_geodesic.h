#pragma once

/// The shortest way between two points on the WGS 84 ellipsoid.
typedef struct {
  /// Metres; NAN if libgps cannot compute it, for points that are nearly opposite each other or for input that is not a
  /// number, and in a program that is not linked to libgps.
  double distance;
  /// The direction at the start, degrees from true north in [0, 360); NAN where `distance` is NAN or 0.
  double bearing;
} cgps_geodesic;

/// Latitudes and longitudes are degrees, positive north and east.
cgps_geodesic cgps_distance_and_bearing(double latitude_1, double longitude_1, double latitude_2, double longitude_2);
