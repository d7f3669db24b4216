/// The part of libgps that positiond uses. All differences between libgps releases are handled in this target.
#pragma once

#include "cgps_geodesic.h"
#include "cgps_report.h"
