// A client of libgps, as its manual describes one: prints the first fixes that it is given, or an error,
// and ends.
#include <gps.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int count, char *arguments[]) {
  struct gps_data_t data;
  if (count < 4 || gps_open(arguments[1], arguments[2], &data) != 0) return 1;
  (void)gps_stream(&data, WATCH_ENABLE | WATCH_JSON, NULL);
  int satellites = 0;
  for (int left = atoi(arguments[3]); left > 0;) {
    if (!gps_waiting(&data, 60000000) || gps_read(&data, NULL, 0) < 0) return 2;
    if (data.set & ERROR_SET) {
      printf("error %s\n", data.error);
      return 3;
    }
    if (data.set & SATELLITE_SET) satellites = data.satellites_visible;
    if (!(data.set & STATUS_SET) || data.fix.mode < MODE_2D || !isfinite(data.fix.latitude)) continue;
    printf("fix %.7f %.7f eph %.1f mode %d satellites %d\n", data.fix.latitude, data.fix.longitude, data.fix.eph,
           data.fix.mode, satellites);
    left -= 1;
  }
  (void)gps_stream(&data, WATCH_DISABLE, NULL);
  return gps_close(&data);
}
