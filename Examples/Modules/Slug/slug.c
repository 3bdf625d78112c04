#include "slug.h"

size_t slug_make(const char *text, char *target, size_t size) {
  size_t count = 0;
  int is_due = 0;
  if (size == 0) return 0;
  for (; *text != '\0' && count + 2 < size; text++) {
    unsigned char byte = (unsigned char)*text;
    if (byte >= 'A' && byte <= 'Z') byte |= 0x20;
    if ((byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9')) {
      if (is_due && count > 0) target[count++] = '-';
      is_due = 0;
      target[count++] = (char)byte;
    } else {
      is_due = 1;
    }
  }
  target[count] = '\0';
  return count;
}
