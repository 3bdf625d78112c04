/// The crash reporter for programs in C: two calls are all that is needed.
#ifndef CRASH_REPORTER_H
#define CRASH_REPORTER_H

#ifdef __cplusplus
extern "C" {
#endif

/// Turns the crash reporter on with defaults: reports go to `$MPAAS_CRASH_DIRECTORY`, else to
/// `$XDG_DATA_HOME/mpaas/crashes` (`~/.local/share/mpaas/crashes`); the name is the program's.
/// - Returns: 0, or the errno that explains why it is not on.
int enable_crash_reporter_service(void);

/// Leaves a short remark of what the program is doing; the newest 128 stand in a crash report.
///
/// Callable from any thread and from signal handlers; text past 111 bytes is cut off.
void crash_reporter_leave_breadcrumb(const char *name);

#ifdef __cplusplus
}
#endif
#endif
