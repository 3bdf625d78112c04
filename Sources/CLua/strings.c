#define _GNU_SOURCE  // memmem

// `string`: Lua 5.4's own functions where their time is bounded by the length of their arguments, and ours for the rest.

#include "internal.h"
#include "patterns.h"

#include <stdlib.h>
#include <string.h>

static int string_rep(lua_State *state) {
  size_t length, separator_length;
  const char *text = luaL_checklstring(state, 1, &length);
  lua_Integer count = luaL_checkinteger(state, 2);
  const char *separator = luaL_optlstring(state, 3, "", &separator_length);
  uint64_t limit = mp_call_of(state)->lua->limits.string;
  if (count <= 0 || length + separator_length == 0) {
    lua_pushliteral(state, "");
    return 1;
  }
  if (length + separator_length > limit / (uint64_t)count) {
    return luaL_error(state, "resulting string too large");
  }
  size_t total = (size_t)count * length + (size_t)(count - 1) * separator_length;
  mp_charge(state, (uint64_t)count / 4 + total / 64);
  luaL_Buffer buffer;
  char *to = luaL_buffinitsize(state, &buffer, total);
  for (lua_Integer index = 0; index < count; index++) {
    memcpy(to, text, length);
    to += length;
    if (index < count - 1) {
      memcpy(to, separator, separator_length);
      to += separator_length;
    }
  }
  luaL_pushresultsize(&buffer, total);
  return 1;
}

/// Lua's own, without `%p` and without the addresses that it writes for tables and functions.
static int string_format(lua_State *state) {
  size_t length;
  const char *format = luaL_checklstring(state, 1, &length), *end = format + length;
  while (format < end) {
    if (*format++ != '%') {
      continue;
    }
    while (format < end && *format && strchr("-+ #0123456789.", *format)) {
      format++;
    }
    if (format < end && *format++ == 'p') {
      return luaL_error(state, "invalid conversion '%%p' to 'format'");
    }
  }
  int count = lua_gettop(state);
  luaL_checkstack(state, 4, "too many arguments");
  for (int index = 2; index <= count; index++) {
    int type = lua_type(state, index);
    if (type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TUSERDATA) {
      mp_push_text(state, index);
      lua_replace(state, index);
    }
  }
  return lua_tocfunction(state, lua_upvalueindex(1))(state);
}

/// The offset of the byte that `init` means; past the end where there is none.
static size_t start_of(lua_Integer init, size_t length) {
  if (init > 0) {
    return (size_t)init - 1;
  }
  return init == 0 || (uint64_t)-init > length ? 0 : length - (size_t)-init;
}

static int find_plain(lua_State *state, const char *text, size_t length, const char *wanted, size_t wanted_length,
                      size_t start) {
  mp_charge(state, (length - start) / 32);
  const char *found = wanted_length ? memmem(text + start, length - start, wanted, wanted_length) : text + start;
  if (!found) {
    lua_pushnil(state);
    return 1;
  }
  lua_pushinteger(state, found - text + 1);
  lua_pushinteger(state, found - text + (lua_Integer)wanted_length);
  return 2;
}

static int find_or_match(lua_State *state, bool is_find) {
  size_t length, pattern_length;
  const char *text = luaL_checklstring(state, 1, &length), *pattern = luaL_checklstring(state, 2, &pattern_length);
  size_t start = start_of(luaL_optinteger(state, 3, 1), length);
  if (start > length) {
    lua_pushnil(state);
    return 1;
  }
  if (is_find && (lua_toboolean(state, 4) || !mp_has_specials(pattern, pattern_length))) {
    return find_plain(state, text, length, pattern, pattern_length, start);
  }
  mp_matcher matcher;
  bool is_anchored = pattern_length > 0 && *pattern == '^';
  mp_prepare(&matcher, state, text, length, pattern, pattern_length, is_anchored);
  for (const char *at = text + start;; at++) {
    const char *end = mp_match(&matcher, at);
    if (end && is_find) {
      lua_pushinteger(state, at - text + 1);
      lua_pushinteger(state, end - text);
      return 2 + mp_push_captures(&matcher, NULL, NULL);
    }
    if (end) {
      return mp_push_captures(&matcher, at, end);
    }
    if (is_anchored || at == text + length) {
      break;
    }
  }
  lua_pushnil(state);
  return 1;
}

static int string_find(lua_State *state) { return find_or_match(state, true); }
static int string_match(lua_State *state) { return find_or_match(state, false); }

/// The next match: the upvalues are text, pattern, offset of the next attempt, offset of the last match's end.
static int next_match(lua_State *state) {
  size_t length, pattern_length;
  const char *text = lua_tolstring(state, lua_upvalueindex(1), &length);
  const char *pattern = lua_tolstring(state, lua_upvalueindex(2), &pattern_length);
  lua_Integer last = lua_tointeger(state, lua_upvalueindex(4));
  mp_matcher matcher;
  mp_prepare(&matcher, state, text, length, pattern, pattern_length, false);
  for (size_t offset = (size_t)lua_tointeger(state, lua_upvalueindex(3)); offset <= length; offset++) {
    const char *end = mp_match(&matcher, text + offset);
    if (end && end - text != last) {
      lua_pushinteger(state, end - text);
      lua_copy(state, -1, lua_upvalueindex(3));
      lua_replace(state, lua_upvalueindex(4));
      return mp_push_captures(&matcher, text + offset, end);
    }
  }
  lua_pushinteger(state, (lua_Integer)length + 1);
  lua_replace(state, lua_upvalueindex(3));
  return 0;
}

static int string_gmatch(lua_State *state) {
  size_t length;
  luaL_checklstring(state, 1, &length);
  luaL_checkstring(state, 2);
  size_t start = start_of(luaL_optinteger(state, 3, 1), length);
  lua_settop(state, 2);
  lua_pushinteger(state, (lua_Integer)(start > length ? length + 1 : start));
  lua_pushinteger(state, -1);
  lua_pushcclosure(state, next_match, 4);
  return 1;
}

static void add_template(mp_matcher *matcher, luaL_Buffer *result, const char *start, const char *end) {
  lua_State *state = matcher->state;
  size_t length;
  const char *template = lua_tolstring(state, 3, &length), *template_end = template + length;
  mp_charge(state, length / 8);
  while (template < template_end) {
    if (*template != '%') {
      luaL_addchar(result, *template++);
      continue;
    }
    char kind = ++template < template_end ? *template : 0;
    template++;
    if (kind == '%') {
      luaL_addchar(result, '%');
    } else if (kind == '0') {
      luaL_addlstring(result, start, (size_t)(end - start));
    } else if (kind >= '1' && kind <= '9') {
      mp_push_capture(matcher, kind - '1', start, end);
      luaL_tolstring(state, -1, NULL);
      lua_remove(state, -2);
      luaL_addvalue(result);
    } else {
      luaL_error(state, "invalid use of '%%' in replacement string");
    }
  }
}

/// Appends what takes the place of a match; what is false or nil leaves it as it is.
static void add_replacement(mp_matcher *matcher, luaL_Buffer *result, const char *start, const char *end, int kind) {
  lua_State *state = matcher->state;
  if (kind == LUA_TFUNCTION) {
    lua_pushvalue(state, 3);
    lua_call(state, mp_push_captures(matcher, start, end), 1);
  } else if (kind == LUA_TTABLE) {
    mp_push_capture(matcher, 0, start, end);
    lua_rawget(state, 3);
  } else {
    add_template(matcher, result, start, end);
    return;
  }
  if (!lua_toboolean(state, -1)) {
    lua_pop(state, 1);
    luaL_addlstring(result, start, (size_t)(end - start));
  } else if (!lua_isstring(state, -1)) {
    luaL_error(state, "invalid replacement value (a %s)", luaL_typename(state, -1));
  } else {
    luaL_addvalue(result);
  }
}

static int string_gsub(lua_State *state) {
  size_t length, pattern_length;
  const char *text = luaL_checklstring(state, 1, &length), *at = text, *text_end = text + length;
  const char *pattern = luaL_checklstring(state, 2, &pattern_length), *last = NULL;
  int kind = lua_type(state, 3);
  luaL_argexpected(state, kind == LUA_TNUMBER || kind == LUA_TSTRING || kind == LUA_TTABLE || kind == LUA_TFUNCTION, 3,
                   "string/function/table");
  lua_Integer most = luaL_optinteger(state, 4, (lua_Integer)length + 1), count = 0;
  bool is_anchored = pattern_length > 0 && *pattern == '^';
  mp_matcher matcher;
  mp_prepare(&matcher, state, text, length, pattern, pattern_length, is_anchored);
  luaL_Buffer result;
  luaL_buffinit(state, &result);
  while (count < most) {
    const char *end = mp_match(&matcher, at);
    if (end && end != last) {
      count++;
      add_replacement(&matcher, &result, at, end, kind);
      at = last = end;
    } else if (at < text_end) {
      luaL_addchar(&result, *at++);
    } else {
      break;
    }
    if (is_anchored) {
      break;
    }
  }
  luaL_addlstring(&result, at, (size_t)(text_end - at));
  luaL_pushresult(&result);
  lua_pushinteger(state, count);
  return 2;
}

void mp_open_strings(lua_State *state) {
  static const char *const kept[] = {"byte", "char", "len", "lower", "reverse", "sub", "upper", NULL};
  static const luaL_Reg own[] = {
    {"rep", string_rep},       {"find", string_find}, {"match", string_match},
    {"gmatch", string_gmatch}, {"gsub", string_gsub}, {NULL, NULL},
  };
  luaL_requiref(state, "string", luaopen_string, 0);
  luaL_newlib(state, own);
  for (const char *const *name = kept; *name; name++) {
    lua_getfield(state, -2, *name);
    lua_setfield(state, -2, *name);
  }
  lua_getfield(state, -2, "format");
  lua_pushcclosure(state, string_format, 1);
  lua_setfield(state, -2, "format");
  // Methods of strings: nothing but these functions.
  lua_pushliteral(state, "");
  lua_createtable(state, 0, 1);
  lua_pushvalue(state, -3);
  lua_setfield(state, -2, "__index");
  lua_setmetatable(state, -2);
  lua_pop(state, 1);
  lua_remove(state, -2);
  lua_setfield(state, -2, "string");
}
