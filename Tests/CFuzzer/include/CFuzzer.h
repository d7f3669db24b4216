#pragma once
/// libFuzzer, which has no header of its own.

/// Feeds the callback until an option of the command line, a crash or a signal ends it; returns the exit status.
int LLVMFuzzerRunDriver(int *argument_count, char ***arguments, int (*callback)(const unsigned char *, unsigned long));
