#pragma once

#include <gps.h>
#include <stdbool.h>

// A program that is not linked to libgps runs all the same: then these are NULL. positiond is linked to it. positionctl
// does without, so that it runs where libgps is not installed: it reads who gpsd is and which devices it has, which takes
// no libgps, and its distances are those of the straight line.
#pragma weak gps_unpack
#pragma weak gps_clear_fix
#pragma weak gps_clear_dop
#pragma weak gps_clear_att
#pragma weak earth_distance_and_bearings

/// Whether this program is linked to libgps.
static inline bool cgps_has_libgps(void) { return gps_unpack != NULL; }
