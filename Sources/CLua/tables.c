// `table`: as Lua 5.4's, but what loops counts as instructions.

#include "internal.h"

#include <limits.h>

static lua_Integer length_of(lua_State *state) {
  luaL_checktype(state, 1, LUA_TTABLE);
  return (lua_Integer)lua_rawlen(state, 1);
}

static int table_insert(lua_State *state) {
  lua_Integer end = length_of(state) + 1, place = end;
  switch (lua_gettop(state)) {
  case 2: break;
  case 3:
    place = luaL_checkinteger(state, 2);
    luaL_argcheck(state, place >= 1 && place <= end, 2, "position out of bounds");
    mp_charge(state, (uint64_t)(end - place));
    for (lua_Integer index = end; index > place; index--) {
      lua_rawgeti(state, 1, index - 1);
      lua_rawseti(state, 1, index);
    }
    break;
  default: return luaL_error(state, "wrong number of arguments to 'insert'");
  }
  lua_rawseti(state, 1, place);
  return 0;
}

static int table_remove(lua_State *state) {
  lua_Integer size = length_of(state), place = luaL_optinteger(state, 2, size);
  if (lua_gettop(state) > 1) {
    luaL_argcheck(state, place == size || (place >= 1 && place <= size + 1), 2, "position out of bounds");
  }
  lua_rawgeti(state, 1, place);
  if (place < size) {
    mp_charge(state, (uint64_t)(size - place));
  }
  for (; place < size; place++) {
    lua_rawgeti(state, 1, place + 1);
    lua_rawseti(state, 1, place);
  }
  lua_pushnil(state);
  lua_rawseti(state, 1, place);
  return 1;
}

static int table_concat(lua_State *state) {
  lua_Integer size = length_of(state);
  size_t separator_length;
  const char *separator = luaL_optlstring(state, 2, "", &separator_length);
  lua_Integer first = luaL_optinteger(state, 3, 1), last = luaL_optinteger(state, 4, size);
  luaL_Buffer text;
  luaL_buffinit(state, &text);
  for (lua_Integer index = first; index <= last; index++) {
    mp_charge(state, 1 + separator_length / 32);
    if (lua_rawgeti(state, 1, index) != LUA_TSTRING && lua_type(state, -1) != LUA_TNUMBER) {
      return luaL_error(state, "invalid value (at index %I) in table for 'concat'", (LUAI_UACINT)index);
    }
    luaL_addvalue(&text);
    if (index == last) {
      break;
    }
    luaL_addlstring(&text, separator, separator_length);
  }
  luaL_pushresult(&text);
  return 1;
}

static int table_pack(lua_State *state) {
  int count = lua_gettop(state);
  lua_createtable(state, count, 1);
  lua_insert(state, 1);
  for (int index = count; index >= 1; index--) {
    lua_rawseti(state, 1, index);
  }
  lua_pushinteger(state, count);
  lua_setfield(state, 1, "n");
  return 1;
}

static int table_unpack(lua_State *state) {
  lua_Integer size = length_of(state);
  lua_Integer first = luaL_optinteger(state, 2, 1), last = luaL_optinteger(state, 3, size);
  if (first > last) {
    return 0;
  }
  uint64_t count = (uint64_t)last - (uint64_t)first;
  if (count >= INT_MAX / 1024 || !lua_checkstack(state, (int)count + 1)) {
    return luaL_error(state, "too many results to unpack");
  }
  mp_charge(state, count);
  for (uint64_t index = 0; index <= count; index++) {
    lua_rawgeti(state, 1, first + (lua_Integer)index);
  }
  return (int)count + 1;
}

static int table_move(lua_State *state) {
  luaL_checktype(state, 1, LUA_TTABLE);
  lua_Integer first = luaL_checkinteger(state, 2), last = luaL_checkinteger(state, 3);
  lua_Integer to = luaL_checkinteger(state, 4);
  int target = lua_isnoneornil(state, 5) ? 1 : 5;
  luaL_checktype(state, target, LUA_TTABLE);
  if (last >= first) {
    luaL_argcheck(state, first > 0 || last < LUA_MAXINTEGER + first, 3, "too many elements to move");
    lua_Integer count = last - first + 1;
    luaL_argcheck(state, to <= LUA_MAXINTEGER - count + 1, 4, "destination wrap around");
    mp_charge(state, (uint64_t)count);
    bool is_forward = to > last || to <= first || target != 1;
    for (lua_Integer step = 0; step < count; step++) {
      lua_Integer offset = is_forward ? step : count - 1 - step;
      lua_rawgeti(state, 1, first + offset);
      lua_rawseti(state, target, to + offset);
    }
  }
  lua_pushvalue(state, target);
  return 1;
}

/// Tells whether the value at `one` comes before that at `other`; indexes count from the bottom.
static bool comes_before(lua_State *state, int one, int other) {
  if (lua_isnil(state, 2)) {
    return lua_compare(state, one, other, LUA_OPLT);
  }
  lua_pushvalue(state, 2);
  lua_pushvalue(state, one);
  lua_pushvalue(state, other);
  lua_call(state, 2, 1);
  bool result = lua_toboolean(state, -1);
  lua_pop(state, 1);
  return result;
}

/// Lets the element at `root` sink to its place in the heap of the first `size` elements.
static void sink(lua_State *state, lua_Integer root, lua_Integer size) {
  enum { SINKING = 3, CHILD = 4, OTHER = 5 };
  lua_rawgeti(state, 1, root);
  while (root <= size / 2) {
    mp_charge(state, 4);
    lua_Integer child = root * 2;
    lua_rawgeti(state, 1, child);
    if (child < size) {
      lua_rawgeti(state, 1, child + 1);
      if (comes_before(state, CHILD, OTHER)) {
        lua_replace(state, CHILD);
        child++;
      } else {
        lua_pop(state, 1);
      }
    }
    if (!comes_before(state, SINKING, CHILD)) {
      lua_pop(state, 1);
      break;
    }
    lua_rawseti(state, 1, root);
    root = child;
  }
  lua_rawseti(state, 1, root);
}

/// Heapsort: a comparison that contradicts itself costs no more than any other.
static int table_sort(lua_State *state) {
  lua_Integer size = length_of(state);
  luaL_argcheck(state, size < INT_MAX, 1, "array too big");
  if (!lua_isnoneornil(state, 2)) {
    luaL_checktype(state, 2, LUA_TFUNCTION);
  }
  lua_settop(state, 2);
  for (lua_Integer root = size / 2; root >= 1; root--) {
    sink(state, root, size);
  }
  for (lua_Integer end = size; end > 1; end--) {
    lua_rawgeti(state, 1, end);
    lua_rawgeti(state, 1, 1);
    lua_rawseti(state, 1, end);
    lua_rawseti(state, 1, 1);
    sink(state, 1, end - 1);
  }
  return 0;
}

void mp_open_tables(lua_State *state) {
  static const luaL_Reg functions[] = {
    {"insert", table_insert}, {"remove", table_remove}, {"concat", table_concat}, {"pack", table_pack},
    {"unpack", table_unpack}, {"move", table_move},     {"sort", table_sort},     {NULL, NULL},
  };
  luaL_newlib(state, functions);
  lua_setfield(state, -2, "table");
}
