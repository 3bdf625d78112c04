#include <stdio.h>

#include "tally.h"

int main(void) {
  static char text[1 << 16];
  size_t size = fread(text, 1, sizeof text - 1, stdin);
  text[size] = '\0';
  printf("%zu\n", tally_words(text));
  return 0;
}
