/// The diagnostic log for C and Objective-C.
#ifndef MPAAS_APP_LOG_H
#define MPAAS_APP_LOG_H

/// Logs a line of level info under `tag`; `format` as printf has it. Does nothing before the app has begun its log.
void APLogToFile(const char *tag, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// Takes each line of `APLogToFile`; set by the log of the app.
extern void (*mp_app_log_sink)(const char *tag, const char *message);

#endif
