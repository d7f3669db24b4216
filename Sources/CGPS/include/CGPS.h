#pragma once
int cgps_placeholder(void);
