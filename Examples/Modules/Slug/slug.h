#pragma once
#include <stddef.h>

/// Writes `text` as it may stand in an address: letters and digits of ASCII in lower case, all else as single dashes.
///
/// Returns how many bytes it wrote, without the NUL that it ends with; never more than `size` with it.
size_t slug_make(const char *text, char *target, size_t size);
