// Values on the stack of a call. What Lua's interface would raise an error for is asked beforehand: room on the stack
// and in memory. No function here runs Lua code.

#include "internal.h"

#include <stdlib.h>
#include <string.h>

/// Tells whether `size` more bytes are within the limit of the state.
static bool has_room(mp_lua_call *call, uint64_t size) {
  mp_lua *lua = call->lua;
  return size <= lua->limits.memory && lua->used <= lua->limits.memory - size && lua_checkstack(call->state, 4);
}

int mp_lua_push_nil(mp_lua_call *call) {
  if (!lua_checkstack(call->state, 4)) {
    return 0;
  }
  lua_pushnil(call->state);
  return 1;
}

int mp_lua_push_boolean(mp_lua_call *call, int value) {
  if (!lua_checkstack(call->state, 4)) {
    return 0;
  }
  lua_pushboolean(call->state, value);
  return 1;
}

int mp_lua_push_integer(mp_lua_call *call, long long value) {
  if (!lua_checkstack(call->state, 4)) {
    return 0;
  }
  lua_pushinteger(call->state, value);
  return 1;
}

int mp_lua_push_number(mp_lua_call *call, double value) {
  if (!lua_checkstack(call->state, 4)) {
    return 0;
  }
  lua_pushnumber(call->state, value);
  return 1;
}

int mp_lua_push_string(mp_lua_call *call, const void *bytes, unsigned long length) {
  if (!has_room(call, length + 64)) {
    return 0;
  }
  lua_pushlstring(call->state, length ? bytes : "", length);
  return 1;
}

int mp_lua_push_object(mp_lua_call *call, void *object, int type, const char *text, unsigned long length) {
  lua_State *state = call->state;
  if (!has_room(call, sizeof(mp_userdata) + length + 256)) {
    return 0;
  }
  mp_object *held = malloc(sizeof *held);
  if (!held) {
    return 0;
  }
  lua_rawgetp(state, LUA_REGISTRYINDEX, &mp_types);
  lua_rawgeti(state, -1, type);
  if (lua_type(state, -1) != LUA_TTABLE) {
    lua_pop(state, 2);
    free(held);
    return 0;
  }
  mp_userdata *made = lua_newuserdatauv(state, sizeof *made, 1);
  *held = (mp_object){.object = object};
  *made = (mp_userdata){.held = held, .type = type};
  if (text) {
    lua_pushlstring(state, text, length);
    lua_setiuservalue(state, -2, 1);
  }
  lua_insert(state, -3);
  lua_setmetatable(state, -3);
  lua_pop(state, 1);
  return 1;
}

int mp_lua_push_table(mp_lua_call *call, long elements, long members) {
  if (elements < 0 || members < 0 || elements > INT32_MAX / 64 || members > INT32_MAX / 64
      || !has_room(call, (uint64_t)elements * 16 + (uint64_t)members * 64 + 64)) {
    return 0;
  }
  lua_createtable(call->state, (int)elements, (int)members);
  return 1;
}

int mp_lua_set_element(mp_lua_call *call, long long index) {
  if (!has_room(call, 64)) {
    return 0;
  }
  lua_rawseti(call->state, -2, index);
  return 1;
}

int mp_lua_set_member(mp_lua_call *call, const void *name, unsigned long length) {
  if (!has_room(call, length + 128)) {
    return 0;
  }
  lua_pushlstring(call->state, length ? name : "", length);
  lua_insert(call->state, -2);
  lua_rawset(call->state, -3);
  return 1;
}

int mp_lua_top(const mp_lua_call *call) { return lua_gettop(call->state); }
void mp_lua_pop(mp_lua_call *call, int count) { lua_pop(call->state, count); }

int mp_lua_type_of(const mp_lua_call *call, int index) {
  switch (lua_type(call->state, index)) {
  case LUA_TNIL: return MP_LUA_NIL;
  case LUA_TBOOLEAN: return MP_LUA_BOOLEAN;
  case LUA_TNUMBER: return lua_isinteger(call->state, index) ? MP_LUA_INTEGER : MP_LUA_NUMBER;
  case LUA_TSTRING: return MP_LUA_STRING;
  case LUA_TTABLE: return MP_LUA_TABLE;
  case LUA_TUSERDATA: return MP_LUA_OBJECT;
  case LUA_TFUNCTION: return MP_LUA_FUNCTION;
  default: return MP_LUA_NONE;
  }
}

int mp_lua_get_integer(mp_lua_call *call, int index, long long *value) {
  int is_integer = 0;
  if (lua_type(call->state, index) == LUA_TNUMBER) {
    *value = lua_tointegerx(call->state, index, &is_integer);
  }
  return is_integer;
}

int mp_lua_get_number(mp_lua_call *call, int index, double *value) {
  if (lua_type(call->state, index) != LUA_TNUMBER) {
    return 0;
  }
  *value = lua_tonumber(call->state, index);
  return 1;
}

int mp_lua_get_boolean(mp_lua_call *call, int index) { return lua_toboolean(call->state, index); }

const char *mp_lua_get_string(mp_lua_call *call, int index, unsigned long *length) {
  size_t size = 0;
  // Any other type would be converted in place.
  const char *bytes = lua_type(call->state, index) == LUA_TSTRING ? lua_tolstring(call->state, index, &size) : NULL;
  *length = size;
  return bytes;
}

void *mp_lua_get_object(mp_lua_call *call, int index, int *type) {
  // All that Lua code can hold of this type was pushed by mp_lua_push_object.
  if (lua_type(call->state, index) != LUA_TUSERDATA || lua_rawlen(call->state, index) != sizeof(mp_userdata)) {
    return NULL;
  }
  mp_userdata *data = lua_touserdata(call->state, index);
  *type = data->type;
  return data->held ? data->held->object : NULL;
}

unsigned long long mp_lua_length(mp_lua_call *call, int index) { return lua_rawlen(call->state, index); }

int mp_lua_get_element(mp_lua_call *call, int index, long long element) {
  if (lua_type(call->state, index) != LUA_TTABLE || !lua_checkstack(call->state, 4)) {
    return 0;
  }
  lua_rawgeti(call->state, index, element);
  return 1;
}

int mp_lua_get_member(mp_lua_call *call, int index, const void *name, unsigned long length) {
  if (lua_type(call->state, index) != LUA_TTABLE || !has_room(call, length + 64)) {
    return 0;
  }
  int table = lua_absindex(call->state, index);
  lua_pushlstring(call->state, length ? name : "", length);
  lua_rawget(call->state, table);
  return 1;
}

int mp_lua_next(mp_lua_call *call, int index) {
  if (lua_type(call->state, index) != LUA_TTABLE || !lua_checkstack(call->state, 4)) {
    lua_pop(call->state, 1);
    return 0;
  }
  return lua_next(call->state, index);
}
