#ifndef MP_LUA_INTERNAL_H
#define MP_LUA_INTERNAL_H

#include "mp_lua.h"

#if __has_include(<lua5.4/lua.h>)
#include <lua5.4/lauxlib.h>
#include <lua5.4/lua.h>
#include <lua5.4/lualib.h>
#else
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#endif

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  MP_LUA_PLACES = 16,
  MP_LUA_MESSAGE = 512,
  MP_LUA_STEP = 256,
  /// The step once the state holds a block so large that one instruction may take a millisecond.
  MP_LUA_FINE_STEP = 8,
  MP_LUA_LARGE_BLOCK = 64 * 1024,
  MP_LUA_CALLS = 256,
};

/// An object of the host, as Lua holds it.
typedef struct mp_object {
  void *object;
  struct mp_object *next;
} mp_object;

typedef struct mp_userdata {
  mp_object *held;
  int type;
} mp_userdata;

struct mp_lua_call {
  mp_lua *lua;
  lua_State *state;
  /// The next free call; or, while it runs, the call around it on the same thread.
  mp_lua_call *next;
  void *frame;
  long long symbol;
  long long budget;
  /// Nanoseconds of the monotonic clock; 0 until the first look at it.
  uint64_t deadline;
  uint64_t paused;
  int step;
  int stopped;
  bool resumes_with_error;
  bool is_resumed;
  bool has_places;
  int place_count;
  mp_lua_place places[MP_LUA_PLACES];
  char message[MP_LUA_MESSAGE];
};

struct mp_lua {
  lua_State *main;
  mp_lua_limits limits;
  mp_lua_host host;
  void *context;
  pthread_mutex_t lock;
  size_t used;
  size_t peak;
  uint64_t instructions;
  /// Tells whether Lua's code runs, for which the memory's limit holds; the host asks before it pushes.
  bool is_guest;
  bool is_fine;
  mp_lua_call *running;
  mp_lua_call *free;
  mp_lua_call *all[MP_LUA_CALLS];
  int call_count;
  mp_object *released;
  char name[64];
};

static inline mp_lua_call *mp_call_of(lua_State *state) { return *(mp_lua_call **)lua_getextraspace(state); }

// Limits
void mp_watch(mp_lua_call *call);
/// Counts work of library functions; raises where it is too much.
void mp_charge(lua_State *state, uint64_t work);
/// Looks at the clock.
void mp_check_time(mp_lua_call *call);
/// Ends the call for good with what a limit says; never returns.
int mp_stop(mp_lua_call *call, int reason);
void *mp_allocate(void *context, void *block, size_t old_size, size_t new_size);
uint64_t mp_now(void);

// Errors
void mp_collect_places(mp_lua_call *call, int level);
int mp_on_error(lua_State *state);
const char *mp_text_of(lua_State *state, int index, size_t *length);

// The environment
void mp_open_environment(lua_State *state);
void mp_open_strings(lua_State *state);
void mp_open_tables(lua_State *state);
void mp_open_patching(lua_State *state);
int mp_host_call(lua_State *state);
int mp_class_index(lua_State *state);
int mp_push_text(lua_State *state, int index);

extern const char mp_modules, mp_loaded, mp_types;

#endif
