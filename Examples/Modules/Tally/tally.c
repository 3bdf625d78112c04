#include "tally.h"

#include <ctype.h>

#ifndef VERSION
#define VERSION "0"
#endif

size_t tally_words(const char *text) {
  size_t count = 0;
  int is_inside = 0;
  for (; *text != '\0'; text++) {
    int is_space = isspace((unsigned char)*text);
    if (!is_space && !is_inside) count++;
    is_inside = !is_space;
  }
  return count;
}

const char *tally_version(void) { return VERSION; }
