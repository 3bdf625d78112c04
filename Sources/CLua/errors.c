// The facts of an error: its text, and the files and lines that led to it. Nothing here allocates.

#include "internal.h"

#include <stdio.h>
#include <string.h>

static void copy(char *to, size_t capacity, const char *from) {
  size_t length = from ? strnlen(from, capacity - 1) : 0;
  memcpy(to, from ? from : "", length);
  to[length] = 0;
}

void mp_collect_places(mp_lua_call *call, int level) {
  call->place_count = 0;
  call->has_places = true;
  lua_Debug frame;
  for (; call->place_count < MP_LUA_PLACES && lua_getstack(call->state, level, &frame); level++) {
    if (!lua_getinfo(call->state, "Sln", &frame)) {
      continue;
    }
    if (frame.currentline < 0 && !frame.name) {
      continue;
    }
    bool is_host = frame.what[0] == 'C';
    if (is_host && call->place_count == 0 && frame.name
        && (strcmp(frame.name, "error") == 0 || strcmp(frame.name, "assert") == 0)) {
      continue;
    }
    mp_lua_place *place = &call->places[call->place_count++];
    copy(place->file, sizeof place->file, is_host ? "=" : frame.source[0] == '@' ? frame.source + 1 : frame.short_src);
    copy(place->function, sizeof place->function, frame.name ? frame.name : frame.what[0] == 'm' ? "main chunk" : "");
    place->line = frame.currentline > 0 ? frame.currentline : 0;
  }
}

/// The handler of uncaught errors: notes where they happened while the frames are still there.
int mp_on_error(lua_State *state) {
  mp_lua_call *call = mp_call_of(state);
  if (!call->stopped) {
    mp_collect_places(call, 1);
  }
  return 1;
}

const char *mp_lua_message(mp_lua_call *call) {
  lua_State *state = call->state;
  switch (call->stopped) {
  case MP_LUA_OUT_OF_INSTRUCTIONS: return "too many instructions";
  case MP_LUA_OUT_OF_TIME: return "too much time";
  case MP_LUA_OUT_OF_MEMORY: return "not enough memory";
  default: break;
  }
  int top = lua_gettop(state);
  switch (top > 0 ? lua_type(state, top) : LUA_TNIL) {
  case LUA_TSTRING: copy(call->message, sizeof call->message, lua_tostring(state, top)); break;
  case LUA_TNUMBER:
    if (lua_isinteger(state, top)) {
      snprintf(call->message, sizeof call->message, "%lld", (long long)lua_tointeger(state, top));
    } else {
      snprintf(call->message, sizeof call->message, "%.14g", lua_tonumber(state, top));
    }
    break;
  case LUA_TUSERDATA:
    if (lua_getiuservalue(state, top, 1) == LUA_TSTRING) {
      copy(call->message, sizeof call->message, lua_tostring(state, -1));
    } else {
      copy(call->message, sizeof call->message, "(an object)");
    }
    lua_settop(state, top);
    break;
  default:
    snprintf(call->message, sizeof call->message, "(error object is a %s value)", lua_typename(state, lua_type(state, top)));
  }
  return call->message;
}

int mp_lua_place_count(const mp_lua_call *call) { return call->place_count; }

const mp_lua_place *mp_lua_place_at(const mp_lua_call *call, int index) {
  return index >= 0 && index < call->place_count ? &call->places[index] : NULL;
}
