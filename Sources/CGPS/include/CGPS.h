/// What positiond uses of libgps, and nothing else: every difference between libgps releases ends in this target.
#pragma once

#include "cgps_geodesic.h"
#include "cgps_report.h"
