// Patterns, as section 6.4.1 of the Lua 5.4 manual describes them. Each step counts as an instruction, so that a
// pattern that tries exponentially many ways is stopped as any other loop.

#include "patterns.h"

#include <ctype.h>
#include <string.h>

enum { MP_CAPTURE_OPEN = -1, MP_CAPTURE_POSITION = -2, STEPS = 128 };

static void count_step(mp_matcher *matcher) {
  if (++matcher->steps % STEPS == 0) {
    mp_charge(matcher->state, STEPS);
    mp_check_time(mp_call_of(matcher->state));
  }
}

bool mp_has_specials(const char *pattern, size_t length) {
  for (size_t index = 0; index < length; index++) {
    if (pattern[index] && strchr("^$*+?.([%-", pattern[index])) {
      return true;
    }
  }
  return false;
}

void mp_prepare(mp_matcher *matcher, lua_State *state, const char *text, size_t length, const char *pattern,
                size_t pattern_length, bool is_anchored) {
  matcher->state = state;
  matcher->text = text;
  matcher->text_end = text + length;
  matcher->pattern = pattern + (is_anchored ? 1 : 0);
  matcher->pattern_end = pattern + pattern_length;
  matcher->steps = 0;
}

/// The end of the single item (a character, `%a`, a set) that begins at `item`.
static const char *end_of_item(mp_matcher *matcher, const char *item) {
  if (*item == '%') {
    if (item + 1 == matcher->pattern_end) {
      luaL_error(matcher->state, "malformed pattern (ends with '%%')");
    }
    return item + 2;
  }
  if (*item != '[') {
    return item + 1;
  }
  item++;
  if (item < matcher->pattern_end && *item == '^') {
    item++;
  }
  for (bool is_first = true;; is_first = false) {
    count_step(matcher);
    if (item >= matcher->pattern_end) {
      luaL_error(matcher->state, "malformed pattern (missing ']')");
    }
    if (*item == ']' && !is_first) {
      return item + 1;
    }
    item += *item == '%' ? 2 : 1;
  }
}

static bool is_in_class(unsigned char c, unsigned char class) {
  bool result;
  switch (tolower(class)) {
  case 'a': result = isalpha(c); break;
  case 'c': result = iscntrl(c); break;
  case 'd': result = isdigit(c); break;
  case 'g': result = isgraph(c); break;
  case 'l': result = islower(c); break;
  case 'p': result = ispunct(c); break;
  case 's': result = isspace(c); break;
  case 'u': result = isupper(c); break;
  case 'w': result = isalnum(c); break;
  case 'x': result = isxdigit(c); break;
  case 'z': result = c == 0; break;
  default: return class == c;
  }
  return isupper(class) ? !result : result;
}

/// Tells whether `c` is in the set between `[` at `set` and `]` before `end`.
static bool is_in_set(mp_matcher *matcher, unsigned char c, const char *set, const char *end) {
  const unsigned char *item = (const unsigned char *)set + 1, *last = (const unsigned char *)end - 1;
  bool is_negated = *item == '^';
  if (is_negated) {
    item++;
  }
  while (item < last) {
    count_step(matcher);
    if (*item == '%') {
      item++;
      if (is_in_class(c, *item++)) {
        return !is_negated;
      }
    } else if (item + 2 < last && item[1] == '-') {
      if (item[0] <= c && c <= item[2]) {
        return !is_negated;
      }
      item += 3;
    } else if (*item++ == c) {
      return !is_negated;
    }
  }
  return is_negated;
}

static bool is_item(mp_matcher *matcher, const char *at, const char *item, const char *item_end) {
  if (at >= matcher->text_end) {
    return false;
  }
  count_step(matcher);
  unsigned char c = (unsigned char)*at;
  switch (*item) {
  case '.': return true;
  case '%': return is_in_class(c, (unsigned char)item[1]);
  case '[': return is_in_set(matcher, c, item, item_end);
  default: return (unsigned char)*item == c;
  }
}

static const char *match_here(mp_matcher *matcher, const char *at, const char *pattern);

static const char *match_many(mp_matcher *matcher, const char *at, const char *item, const char *item_end) {
  ptrdiff_t count = 0;
  while (is_item(matcher, at + count, item, item_end)) {
    count++;
  }
  for (; count >= 0; count--) {
    const char *end = match_here(matcher, at + count, item_end + 1);
    if (end) {
      return end;
    }
  }
  return NULL;
}

static const char *match_few(mp_matcher *matcher, const char *at, const char *item, const char *item_end) {
  for (;; at++) {
    const char *end = match_here(matcher, at, item_end + 1);
    if (end) {
      return end;
    }
    if (!is_item(matcher, at, item, item_end)) {
      return NULL;
    }
  }
}

static const char *match_balanced(mp_matcher *matcher, const char *at, const char *pair) {
  if (pair + 1 >= matcher->pattern_end) {
    luaL_error(matcher->state, "malformed pattern (missing arguments to '%%b')");
  }
  if (at >= matcher->text_end || *at != pair[0]) {
    return NULL;
  }
  int64_t open = 1;
  for (at++; at < matcher->text_end; at++) {
    count_step(matcher);
    if (*at == pair[1]) {
      if (--open == 0) {
        return at + 1;
      }
    } else if (*at == pair[0]) {
      open++;
    }
  }
  return NULL;
}

static const char *open_capture(mp_matcher *matcher, const char *at, const char *pattern, ptrdiff_t length) {
  if (matcher->count >= MP_CAPTURES) {
    luaL_error(matcher->state, "too many captures");
  }
  matcher->captures[matcher->count].start = at;
  matcher->captures[matcher->count].length = length;
  matcher->count++;
  const char *end = match_here(matcher, at, pattern);
  if (!end) {
    matcher->count--;
  }
  return end;
}

static const char *close_capture(mp_matcher *matcher, const char *at, const char *pattern) {
  int open = matcher->count - 1;
  while (open >= 0 && matcher->captures[open].length != MP_CAPTURE_OPEN) {
    open--;
  }
  if (open < 0) {
    luaL_error(matcher->state, "invalid pattern capture");
  }
  matcher->captures[open].length = at - matcher->captures[open].start;
  const char *end = match_here(matcher, at, pattern);
  if (!end) {
    matcher->captures[open].length = MP_CAPTURE_OPEN;
  }
  return end;
}

/// The end of the text that an earlier capture holds, where it stands at `at`.
static const char *match_capture(mp_matcher *matcher, const char *at, char digit) {
  int index = digit - '1';
  if (index < 0 || index >= matcher->count || matcher->captures[index].length == MP_CAPTURE_OPEN) {
    luaL_error(matcher->state, "invalid capture index %%%d", index + 1);
  }
  ptrdiff_t length = matcher->captures[index].length;
  if (length < 0 || matcher->text_end - at < length) {
    return NULL;
  }
  mp_charge(matcher->state, (uint64_t)length / 32);
  return memcmp(matcher->captures[index].start, at, (size_t)length) == 0 ? at + length : NULL;
}

/// The end of the set behind `%f`, where the border is at `at`; else NULL.
static const char *match_frontier(mp_matcher *matcher, const char *at, const char *set) {
  if (set >= matcher->pattern_end || *set != '[') {
    luaL_error(matcher->state, "missing '[' after '%%f' in pattern");
  }
  const char *end = end_of_item(matcher, set);
  unsigned char before = at == matcher->text ? 0 : (unsigned char)at[-1];
  unsigned char after = at < matcher->text_end ? (unsigned char)*at : 0;
  return !is_in_set(matcher, before, set, end) && is_in_set(matcher, after, set, end) ? end : NULL;
}

/// Matches what begins with `%` and is no class of characters.
/// - Returns: Whether it was such an item. `*at` is NULL where it does not match; else both move behind it.
static bool match_special(mp_matcher *matcher, const char **at, const char **pattern) {
  const char *item = *pattern;
  char kind = item + 1 < matcher->pattern_end ? item[1] : 0;
  if (kind == 'b') {
    *at = match_balanced(matcher, *at, item + 2);
    *pattern = item + 4;
  } else if (kind == 'f') {
    const char *end = match_frontier(matcher, *at, item + 2);
    *at = end ? *at : NULL;
    *pattern = end;
  } else if (kind >= '0' && kind <= '9') {
    *at = match_capture(matcher, *at, kind);
    *pattern = item + 2;
  } else {
    return false;
  }
  return true;
}

/// Matches the item at `pattern` and, for those that may be repeated, all behind it.
static const char *match_rest(mp_matcher *matcher, const char *at, const char *pattern) {
  while (at && pattern < matcher->pattern_end) {
    count_step(matcher);
    if (*pattern == '(') {
      bool is_position = pattern + 1 < matcher->pattern_end && pattern[1] == ')';
      return is_position ? open_capture(matcher, at, pattern + 2, MP_CAPTURE_POSITION)
                         : open_capture(matcher, at, pattern + 1, MP_CAPTURE_OPEN);
    }
    if (*pattern == ')') {
      return close_capture(matcher, at, pattern + 1);
    }
    if (*pattern == '$' && pattern + 1 == matcher->pattern_end) {
      return at == matcher->text_end ? at : NULL;
    }
    if (*pattern == '%' && match_special(matcher, &at, &pattern)) {
      continue;
    }
    const char *end = end_of_item(matcher, pattern);
    char repeat = end < matcher->pattern_end ? *end : 0;
    if (repeat == '*') {
      return match_many(matcher, at, pattern, end);
    }
    if (repeat == '-') {
      return match_few(matcher, at, pattern, end);
    }
    bool is_single = is_item(matcher, at, pattern, end);
    if (repeat == '+') {
      return is_single ? match_many(matcher, at + 1, pattern, end) : NULL;
    }
    if (repeat == '?') {
      const char *found = is_single ? match_here(matcher, at + 1, end + 1) : NULL;
      if (found) {
        return found;
      }
      pattern = end + 1;
      continue;
    }
    at = is_single ? at + 1 : NULL;
    pattern = end;
  }
  return at;
}

static const char *match_here(mp_matcher *matcher, const char *at, const char *pattern) {
  if (++matcher->depth > MP_PATTERN_DEPTH) {
    luaL_error(matcher->state, "pattern too complex");
  }
  const char *end = match_rest(matcher, at, pattern);
  matcher->depth--;
  return end;
}

const char *mp_match(mp_matcher *matcher, const char *at) {
  matcher->depth = 0;
  matcher->count = 0;
  return match_here(matcher, at, matcher->pattern);
}

void mp_push_capture(mp_matcher *matcher, int index, const char *start, const char *end) {
  if (index >= matcher->count) {
    if (index != 0) {
      luaL_error(matcher->state, "invalid capture index %%%d", index + 1);
    }
    lua_pushlstring(matcher->state, start, (size_t)(end - start));
    return;
  }
  ptrdiff_t length = matcher->captures[index].length;
  if (length == MP_CAPTURE_OPEN) {
    luaL_error(matcher->state, "unfinished capture");
  } else if (length == MP_CAPTURE_POSITION) {
    lua_pushinteger(matcher->state, matcher->captures[index].start - matcher->text + 1);
  } else {
    lua_pushlstring(matcher->state, matcher->captures[index].start, (size_t)length);
  }
}

int mp_push_captures(mp_matcher *matcher, const char *start, const char *end) {
  int count = matcher->count == 0 && start ? 1 : matcher->count;
  luaL_checkstack(matcher->state, count, "too many captures");
  for (int index = 0; index < count; index++) {
    mp_push_capture(matcher, index, start, end);
  }
  return count;
}
