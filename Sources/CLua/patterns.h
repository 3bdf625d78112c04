#ifndef MP_LUA_PATTERNS_H
#define MP_LUA_PATTERNS_H

#include "internal.h"

enum { MP_CAPTURES = 32, MP_PATTERN_DEPTH = 200 };

/// A pattern on its way through a text.
typedef struct mp_matcher {
  lua_State *state;
  const char *text, *text_end, *pattern, *pattern_end;
  int depth;
  uint32_t steps;
  int count;
  struct {
    const char *start;
    /// Or one of MP_CAPTURE_….
    ptrdiff_t length;
  } captures[MP_CAPTURES];
} mp_matcher;

bool mp_has_specials(const char *pattern, size_t length);
void mp_prepare(mp_matcher *matcher, lua_State *state, const char *text, size_t length, const char *pattern,
                size_t pattern_length, bool is_anchored);
/// The end of the match that begins at `at`, or NULL. Raises where the pattern is none or takes too long.
const char *mp_match(mp_matcher *matcher, const char *at);
void mp_push_capture(mp_matcher *matcher, int index, const char *start, const char *end);
/// Pushes all captures; where there are none, the whole match if `start` is given.
int mp_push_captures(mp_matcher *matcher, const char *start, const char *end);

#endif
