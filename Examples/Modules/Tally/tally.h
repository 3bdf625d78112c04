#pragma once
#include <stddef.h>

/// How many words, divided by white space, a text has.
size_t tally_words(const char *text);

/// The version that this was built as.
const char *tally_version(void);
