#pragma once
#include <curses.h>
