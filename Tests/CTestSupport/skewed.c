#include "CTestSupport.h"

#include <gps.h>
#include <stddef.h>
#include <string.h>

// A program without libgps links this as well, and does not call it.
#pragma weak gps_unpack

/// As if a member had been inserted before this one: all that follows in the same part sits 8 bytes farther on.
static void move(void *part, size_t size, size_t offset) {
  char *from = (char *)part + offset;
  memmove(from + 8, from, size - offset - 8);
}

#define MOVED(name, part, member)                                                  \
  void ctest_unpack_moved_##name(char *line, struct gps_data_t *data) {            \
    gps_unpack(line, data);                                                        \
    move(&data->part, sizeof data->part, member);                                  \
  }

MOVED(errors, fix, offsetof(struct gps_fix_t, eph))
MOVED(dilutions, dop, 0)
MOVED(satellites, skyview, 0)
MOVED(attitude, attitude, 0)
MOVED(deviations, gst, 0)
MOVED(device, dev, offsetof(struct devconfig_t, cycle))

void ctest_unpack_with_larger_satellites(char *line, struct gps_data_t *data) {
  gps_unpack(line, data);
  enum { LARGER = sizeof(struct satellite_t) + 8 };
  for (size_t index = MAXCHANNELS; index-- > 0;) {
    if ((index + 1) * LARGER > sizeof data->skyview) continue;
    memmove((char *)data->skyview + index * LARGER, &data->skyview[index], sizeof(struct satellite_t));
  }
}

void ctest_unpack_of_fewer_satellites(char *line, struct gps_data_t *data) {
  gps_unpack(line, data);
  memset(&data->skyview[MAXCHANNELS - 40], 0, 40 * sizeof(struct satellite_t));
}

void ctest_unpack(char *line, struct gps_data_t *data) { gps_unpack(line, data); }
