// The globals of a patch: the harmless part of Lua's own, and what takes the place of the rest.
//
// Lua code sees no metatables, so it can make no finalizers and no `__close`, and reaches no function but these. Nothing
// prints addresses, which would give away where the program lies in memory.

#include "internal.h"

#include <stdlib.h>
#include <string.h>

const char mp_modules = 0, mp_loaded = 0, mp_types = 0;

/// Pushes what `tostring` gives.
int mp_push_text(lua_State *state, int index) {
  switch (lua_type(state, index)) {
  case LUA_TNIL: lua_pushliteral(state, "nil"); break;
  case LUA_TBOOLEAN: lua_pushstring(state, lua_toboolean(state, index) ? "true" : "false"); break;
  case LUA_TNUMBER:
    lua_pushvalue(state, index);
    lua_tostring(state, -1);
    break;
  case LUA_TSTRING: lua_pushvalue(state, index); break;
  case LUA_TUSERDATA:
    if (lua_getiuservalue(state, index, 1) == LUA_TSTRING) {
      break;
    }
    lua_pop(state, 1);
    if (luaL_getmetafield(state, index, "__name") != LUA_TSTRING) {
      lua_pushliteral(state, "object");
    }
    break;
  default: lua_pushstring(state, luaL_typename(state, index));
  }
  return 1;
}

static int base_tostring(lua_State *state) {
  luaL_checkany(state, 1);
  return mp_push_text(state, 1);
}

/// A limit's error goes through every `pcall`.
static int finish_pcall(lua_State *state, int status, lua_KContext unused) {
  (void)unused;
  if (status == LUA_OK || status == LUA_YIELD) {
    return lua_gettop(state);
  }
  mp_lua_call *call = mp_call_of(state);
  if (status == LUA_ERRMEM && !call->stopped) {
    call->stopped = MP_LUA_OUT_OF_MEMORY;
  }
  if (call->stopped) {
    return mp_stop(call, call->stopped);
  }
  lua_pushboolean(state, 0);
  lua_insert(state, -2);
  return 2;
}

static int base_pcall(lua_State *state) {
  luaL_checkany(state, 1);
  lua_pushboolean(state, 1);
  lua_insert(state, 1);
  int status = lua_pcallk(state, lua_gettop(state) - 2, LUA_MULTRET, 0, 0, finish_pcall);
  return finish_pcall(state, status, 0);
}

static int finish_host_call(lua_State *state, int status, lua_KContext top) {
  (void)status;
  if (mp_call_of(state)->resumes_with_error) {
    return lua_error(state);
  }
  return lua_gettop(state) - (int)top;
}

static int ask_host(lua_State *state, long long function, int arguments) {
  mp_lua_call *call = mp_call_of(state);
  mp_lua *lua = call->lua;
  if (call->stopped) {
    return mp_stop(call, call->stopped);
  }
  lua->is_guest = false;
  int results = lua->host(lua->context, call, function, arguments);
  lua->running = call;
  lua->is_guest = true;
  if (results == MP_LUA_SUSPEND) {
    return lua_yieldk(state, 0, lua_gettop(state), finish_host_call);
  }
  if (results >= 0) {
    return results;
  }
  if (lua_type(state, -1) == LUA_TSTRING) {
    luaL_where(state, 1);
    lua_insert(state, -2);
    lua_concat(state, 2);
  }
  return lua_error(state);
}

/// A function of the host; its id is the upvalue.
int mp_host_call(lua_State *state) {
  return ask_host(state, lua_tointeger(state, lua_upvalueindex(1)), lua_gettop(state));
}

static int base_log(lua_State *state) {
  enum { WORK = 500, LONGEST = 8 * 1024 };
  mp_charge(state, WORK);
  int count = lua_gettop(state);
  luaL_Buffer text;
  luaL_buffinit(state, &text);
  for (int index = 1; index <= count && luaL_bufflen(&text) < LONGEST; index++) {
    if (index > 1) {
      luaL_addchar(&text, '\t');
    }
    mp_push_text(state, index);
    luaL_addvalue(&text);
  }
  luaL_pushresult(&text);
  lua_insert(state, 1);
  lua_settop(state, 1);
  lua_Debug caller;
  bool is_known = lua_getstack(state, 1, &caller) && lua_getinfo(state, "Sl", &caller);
  lua_pushstring(state, is_known && caller.source[0] == '@' ? caller.source + 1 : "");
  lua_pushinteger(state, is_known ? caller.currentline : 0);
  ask_host(state, MP_LUA_LOG, 3);
  return 0;
}

/// `require("a.b")`: what the file `a/b.lua` of the patch returned when it first ran.
static int base_require(lua_State *state) {
  const char *name = luaL_checkstring(state, 1);
  lua_settop(state, 1);
  lua_rawgetp(state, LUA_REGISTRYINDEX, &mp_loaded);
  if (lua_getfield(state, 2, name) != LUA_TNIL) {
    if (lua_islightuserdata(state, 3)) {
      return luaL_error(state, "module '%s' requires itself", name);
    }
    return 1;
  }
  lua_rawgetp(state, LUA_REGISTRYINDEX, &mp_modules);
  if (lua_getfield(state, 4, name) != LUA_TFUNCTION) {
    return luaL_error(state, "module '%s' not found: the patch has no such file", name);
  }
  lua_pushlightuserdata(state, state);
  lua_setfield(state, 2, name);
  lua_pushvalue(state, 1);
  lua_call(state, 1, 1);
  if (lua_isnil(state, -1)) {
    lua_pop(state, 1);
    lua_pushboolean(state, 1);
  }
  lua_pushvalue(state, -1);
  lua_setfield(state, 2, name);
  return 1;
}

static int object_gc(lua_State *state) {
  mp_userdata *data = lua_touserdata(state, 1);
  if (data && data->held) {
    void *space;
    lua_getallocf(state, &space);
    mp_lua *lua = space;
    data->held->next = lua->released;
    lua->released = data->held;
    data->held = NULL;
  }
  return 0;
}

static int object_eq(lua_State *state) {
  mp_userdata *one = lua_touserdata(state, 1), *other = lua_touserdata(state, 2);
  bool are_same = one && other && one->held && other->held && one->held->object == other->held->object;
  lua_pushboolean(state, are_same);
  return 1;
}

/// `ORIGname` of a class or of an object, as wax has it; the class's name is the upvalue.
int mp_class_index(lua_State *state) {
  size_t length;
  const char *key = lua_type(state, 2) == LUA_TSTRING ? lua_tolstring(state, 2, &length) : NULL;
  if (!key || length < 5 || memcmp(key, "ORIG", 4) != 0) {
    return 0;
  }
  lua_settop(state, 2);
  lua_pushfstring(state, "%s.%s", lua_tostring(state, lua_upvalueindex(1)), key + 4);
  lua_replace(state, 1);
  lua_settop(state, 1);
  ask_host(state, MP_LUA_ORIGINAL_OF, 1);
  lua_pushcclosure(state, mp_host_call, 1);
  return 1;
}

static const char *const allowed[] = {
  "assert", "error", "ipairs", "next",   "pairs",  "select",   "tonumber",
  "type",   "rawequal", "rawlen", "rawget", "rawset", NULL,
};

static void keep_math(lua_State *state) {
  // Its result holds an address.
  lua_pushnil(state);
  lua_setfield(state, -2, "randomseed");
}

static const luaL_Reg own[] = {
  {"tostring", base_tostring}, {"pcall", base_pcall}, {"log", base_log},
  {"print", base_log},         {"require", base_require}, {NULL, NULL},
};

void mp_open_environment(lua_State *state) {
  const void *const keys[] = {&mp_modules, &mp_loaded, &mp_types};
  for (size_t index = 0; index < sizeof keys / sizeof *keys; index++) {
    lua_newtable(state);
    lua_rawsetp(state, LUA_REGISTRYINDEX, keys[index]);
  }
  luaL_requiref(state, "_G", luaopen_base, 0);
  lua_newtable(state);
  for (const char *const *name = allowed; *name; name++) {
    lua_getfield(state, -2, *name);
    lua_setfield(state, -2, *name);
  }
  luaL_setfuncs(state, own, 0);
  luaL_requiref(state, "math", luaopen_math, 0);
  keep_math(state);
  lua_setfield(state, -2, "math");
  luaL_requiref(state, "utf8", luaopen_utf8, 0);
  lua_setfield(state, -2, "utf8");
  mp_open_strings(state);
  mp_open_tables(state);
  mp_open_patching(state);
  // It takes the place of Lua's globals, of which nothing can be reached from now on.
  lua_rawseti(state, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  lua_pushnil(state);
  lua_setfield(state, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_settop(state, 0);
}

// Additions of the host

static void push_host_function(lua_State *state, long long function) {
  lua_pushinteger(state, function);
  lua_pushcclosure(state, mp_host_call, 1);
}

int mp_lua_define(mp_lua *lua, const char *name, long long function) {
  lua_State *state = lua->main;
  lua_rawgeti(state, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  for (const char *dot; (dot = strchr(name, '.')); name = dot + 1) {
    lua_pushlstring(state, name, (size_t)(dot - name));
    lua_pushvalue(state, -1);
    if (lua_rawget(state, -3) == LUA_TNIL) {
      lua_pop(state, 1);
      lua_newtable(state);
      lua_pushvalue(state, -1);
      lua_insert(state, -3);
      lua_rawset(state, -4);
    } else if (lua_type(state, -1) != LUA_TTABLE) {
      lua_settop(state, 0);
      return 0;
    } else {
      lua_remove(state, -2);
    }
    lua_remove(state, -2);
  }
  lua_pushstring(state, name);
  lua_pushvalue(state, -1);
  int is_free = lua_rawget(state, -3) == LUA_TNIL;
  if (is_free) {
    lua_pop(state, 1);
    push_host_function(state, function);
    lua_rawset(state, -3);
  }
  lua_settop(state, 0);
  return is_free;
}

int mp_lua_define_type(mp_lua *lua, int type, const char *name) {
  lua_State *state = lua->main;
  lua_rawgetp(state, LUA_REGISTRYINDEX, &mp_types);
  lua_createtable(state, 0, 6);
  lua_pushstring(state, name);
  lua_setfield(state, -2, "__name");
  lua_pushcfunction(state, object_gc);
  lua_setfield(state, -2, "__gc");
  lua_pushcfunction(state, object_eq);
  lua_setfield(state, -2, "__eq");
  lua_newtable(state);
  lua_createtable(state, 0, 1);
  lua_pushstring(state, name);
  lua_pushcclosure(state, mp_class_index, 1);
  lua_setfield(state, -2, "__index");
  lua_setmetatable(state, -2);
  lua_setfield(state, -2, "__index");
  lua_rawseti(state, -2, type);
  lua_settop(state, 0);
  return 1;
}

int mp_lua_define_method(mp_lua *lua, int type, const char *name, long long function) {
  lua_State *state = lua->main;
  lua_rawgetp(state, LUA_REGISTRYINDEX, &mp_types);
  int is_known = lua_rawgeti(state, -1, type) == LUA_TTABLE;
  if (is_known) {
    lua_getfield(state, -1, "__index");
    push_host_function(state, function);
    lua_setfield(state, -2, name);
  }
  lua_settop(state, 0);
  return is_known;
}
