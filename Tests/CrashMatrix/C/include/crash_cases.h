// Ways to crash that are written in C and C++. Each returns only where it failed to crash.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/// Runs the case of this name; 0 where there is none.
int crash_case_run(const char *name);

/// Starts `count` threads that wait for ever, and comes back when all wait.
void crash_case_start_threads(int count);

/// Turns the in-process reporter on for a directory; 0, or the errno that explains why it is not on.
int crash_case_report_to(const char *directory);

#ifdef __cplusplus
}
#endif
