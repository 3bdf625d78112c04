/// Searches in text at the speed of memory.
#ifndef MPAAS_LOG_SCAN_H
#define MPAAS_LOG_SCAN_H

#include <stddef.h>

/// The first place of `needle` in `text`; NULL where there is none, or one of them is empty.
const char *mp_log_find(const char *text, size_t size, const char *needle, size_t needle_size);

#endif
