// `patch`, `waxClass` and `ORIG`.

#include "internal.h"

/// Hands a function to the host as the replacement of a symbol; `self` is the reference of the class, or 0.
static void replace(lua_State *state, int name, int function, int self) {
  name = lua_absindex(state, name);
  lua_pushvalue(state, function);
  int reference = luaL_ref(state, LUA_REGISTRYINDEX);
  // Asked through a function of its own, whose arguments begin at 1.
  lua_pushinteger(state, MP_LUA_PATCH);
  lua_pushcclosure(state, mp_host_call, 1);
  lua_pushvalue(state, name);
  lua_pushinteger(state, reference);
  lua_pushinteger(state, self);
  lua_call(state, 3, 0);
}

static int base_patch(lua_State *state) {
  luaL_checktype(state, 1, LUA_TSTRING);
  luaL_checktype(state, 2, LUA_TFUNCTION);
  replace(state, 1, 2, 0);
  return 0;
}

/// A global that is read behind `waxClass`: upvalue 1 is the class, 2 are the globals.
static int read_global(lua_State *state) {
  lua_pushvalue(state, 2);
  if (lua_rawget(state, lua_upvalueindex(1)) == LUA_TNIL) {
    lua_pushvalue(state, 2);
    lua_rawget(state, lua_upvalueindex(2));
  }
  return 1;
}

/// A global that is written behind `waxClass`: a function is a method of the class. Upvalue 3 is the class's name, 4 its
/// reference.
static int write_global(lua_State *state) {
  bool is_method = lua_type(state, 2) == LUA_TSTRING && lua_type(state, 3) == LUA_TFUNCTION;
  if (is_method) {
    lua_pushfstring(state, "%s.%s", lua_tostring(state, lua_upvalueindex(3)), lua_tostring(state, 2));
    replace(state, 4, 3, (int)lua_tointeger(state, lua_upvalueindex(4)));
    lua_settop(state, 3);
  }
  lua_rawset(state, lua_upvalueindex(is_method ? 1 : 2));
  return 0;
}

/// Pushes the class of this name: a table that knows `ORIG…`.
static void push_class(lua_State *state, int name) {
  lua_newtable(state);
  lua_createtable(state, 0, 1);
  lua_pushvalue(state, name);
  lua_pushcclosure(state, mp_class_index, 1);
  lua_setfield(state, -2, "__index");
  lua_setmetatable(state, -2);
}

/// Gives the file that calls it an environment in which functions that are defined belong to the class.
static int base_class(lua_State *state) {
  luaL_checktype(state, 1, LUA_TTABLE);
  lua_rawgeti(state, 1, 1);
  luaL_argcheck(state, lua_type(state, -1) == LUA_TSTRING, 1, "the class's name expected, as waxClass{\"Cart\"}");
  lua_replace(state, 1);
  lua_settop(state, 1);
  lua_Debug caller;
  if (!lua_getstack(state, 1, &caller) || !lua_getinfo(state, "f", &caller)) {
    return luaL_error(state, "waxClass belongs at the top of a file");
  }
  int file = lua_gettop(state), upvalue = 1;
  for (const char *name; (name = lua_getupvalue(state, file, upvalue)); upvalue++) {
    lua_pop(state, 1);
    if (name[0] == '_' && name[1] == 'E' && name[2] == 'N' && name[3] == 'V' && !name[4]) {
      break;
    }
  }
  push_class(state, 1);
  int class = lua_gettop(state);
  lua_pushvalue(state, class);
  lua_Integer reference = luaL_ref(state, LUA_REGISTRYINDEX);
  lua_newtable(state);
  lua_createtable(state, 0, 2);
  lua_pushvalue(state, class);
  lua_rawgeti(state, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  lua_pushcclosure(state, read_global, 2);
  lua_setfield(state, -2, "__index");
  lua_pushvalue(state, class);
  lua_rawgeti(state, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  lua_pushvalue(state, 1);
  lua_pushinteger(state, reference);
  lua_pushcclosure(state, write_global, 4);
  lua_setfield(state, -2, "__newindex");
  lua_setmetatable(state, -2);
  if (!lua_setupvalue(state, file, upvalue)) {
    return luaL_error(state, "waxClass belongs at the top of a file");
  }
  lua_settop(state, class);
  return 1;
}

void mp_open_patching(lua_State *state) {
  static const luaL_Reg functions[] = {
    {"patch", base_patch}, {"waxClass", base_class}, {NULL, NULL},
  };
  luaL_setfuncs(state, functions, 0);
  lua_pushinteger(state, MP_LUA_ORIGINAL);
  lua_pushcclosure(state, mp_host_call, 1);
  lua_setfield(state, -2, "ORIG");
}
