#include "CGPS.h"
int cgps_placeholder(void) { return 0; }
