/// The diagnostic log for C and Objective-C.
#ifndef MPAAS_APP_LOG_H
#define MPAAS_APP_LOG_H

/// Logs a line of level info under `tag`; `format` as printf has it. Does nothing before the app has begun its log.
void APLogToFile(const char *tag, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// Takes a whole line of `APLogToFile`.
typedef void (*mp_app_log_sink)(const char *tag, const char *message);

/// Sets the function that takes the lines of `APLogToFile`; NULL for none. May be called at any time by any thread.
void mp_app_log_take(mp_app_log_sink sink);

/// The message of a caller in Swift, who has no variadic functions: `message` as it is.
void mp_app_log(const char *tag, const char *message);

#endif
