// States and calls.

#include "internal.h"

#include <stdlib.h>
#include <string.h>

/// The program that Lua runs on this thread, for crash reports.
_Thread_local mp_lua_call *mp_current;

const char *mp_lua_release(void) { return LUA_RELEASE; }

static int open_environment(lua_State *state) {
  mp_open_environment(state);
  return 0;
}

mp_lua *mp_lua_create(const mp_lua_limits *limits, mp_lua_host host) {
  mp_lua *lua = calloc(1, sizeof *lua);
  if (!lua) {
    return NULL;
  }
  lua->limits = *limits;
  lua->host = host;
  if (lua->limits.step <= 0) {
    lua->limits.step = MP_LUA_STEP;
  }
  pthread_mutex_init(&lua->lock, NULL);
  lua->main = lua_newstate(mp_allocate, lua);
  if (!lua->main) {
    mp_lua_destroy(lua);
    return NULL;
  }
  *(mp_lua_call **)lua_getextraspace(lua->main) = NULL;
  lua_pushcfunction(lua->main, open_environment);
  if (lua_pcall(lua->main, 0, 0, 0) != LUA_OK) {
    mp_lua_destroy(lua);
    return NULL;
  }
  return lua;
}

void *mp_lua_destroy(mp_lua *lua) {
  if (lua->main) {
    lua_close(lua->main);
  }
  void *released = lua->released;
  for (int index = 0; index < lua->call_count; index++) {
    free(lua->all[index]);
  }
  pthread_mutex_destroy(&lua->lock);
  free(lua);
  return released;
}

void *mp_lua_released(void **list) {
  mp_object *first = *list;
  if (!first) {
    return NULL;
  }
  void *object = first->object;
  *list = first->next;
  free(first);
  return object;
}

void mp_lua_set_context(mp_lua *lua, void *context) { lua->context = context; }

void mp_lua_set_name(mp_lua *lua, const char *name) {
  strncpy(lua->name, name, sizeof lua->name - 1);
}

// Calls

static int make_thread(lua_State *state) {
  lua_State **made = lua_touserdata(state, 1);
  *made = lua_newthread(state);
  luaL_ref(state, LUA_REGISTRYINDEX);
  return 0;
}

/// A call whose stack is empty; the lock is held.
static mp_lua_call *take_call(mp_lua *lua) {
  mp_lua_call *call = lua->free;
  if (call) {
    lua->free = call->next;
    return call;
  }
  if (lua->call_count == MP_LUA_CALLS || !(call = calloc(1, sizeof *call))) {
    return NULL;
  }
  lua_pushcfunction(lua->main, make_thread);
  lua_pushlightuserdata(lua->main, &call->state);
  int status = lua_pcall(lua->main, 1, 0, 0);
  lua_settop(lua->main, 0);
  if (status != LUA_OK) {
    free(call);
    return NULL;
  }
  call->lua = lua;
  *(mp_lua_call **)lua_getextraspace(call->state) = call;
  lua->all[lua->call_count++] = call;
  return call;
}

static mp_lua_call *begin(mp_lua *lua, long long symbol, void *frame) {
  pthread_mutex_lock(&lua->lock);
  mp_lua_call *call = take_call(lua);
  if (!call) {
    pthread_mutex_unlock(&lua->lock);
    return NULL;
  }
  call->next = NULL;
  call->symbol = symbol;
  call->frame = frame;
  call->budget = (long long)(lua->limits.instructions >> 1 > INT64_MAX >> 1 ? INT64_MAX : lua->limits.instructions);
  call->deadline = 0;
  call->step = lua->is_fine && lua->limits.step > MP_LUA_FINE_STEP ? MP_LUA_FINE_STEP : lua->limits.step;
  call->stopped = 0;
  call->is_resumed = false;
  call->has_places = false;
  call->place_count = 0;
  return call;
}

static void give_back(mp_lua_call *call) {
  mp_lua *lua = call->lua;
  if (call->is_resumed) {
    lua_resetthread(call->state);
  }
  lua_settop(call->state, 0);
  call->next = lua->free;
  lua->free = call;
  pthread_mutex_unlock(&lua->lock);
}

mp_lua_call *mp_lua_begin(mp_lua *lua, int reference, int self, long long symbol, void *frame) {
  mp_lua_call *call = begin(lua, symbol, frame);
  if (call) {
    lua_rawgeti(call->state, LUA_REGISTRYINDEX, reference);
    if (self) {
      lua_rawgeti(call->state, LUA_REGISTRYINDEX, self);
    }
  }
  return call;
}

/// Leaves the value on top as the function of the call; ends the call where it is none.
static mp_lua_call *with_function(mp_lua_call *call) {
  if (lua_type(call->state, -1) == LUA_TFUNCTION) {
    lua_replace(call->state, 1);
    lua_settop(call->state, 1);
    return call;
  }
  give_back(call);
  return NULL;
}

mp_lua_call *mp_lua_begin_module(mp_lua *lua, const char *module) {
  mp_lua_call *call = begin(lua, -1, NULL);
  if (!call) {
    return NULL;
  }
  lua_rawgetp(call->state, LUA_REGISTRYINDEX, &mp_modules);
  lua_getfield(call->state, -1, module);
  return with_function(call);
}

mp_lua_call *mp_lua_begin_global(mp_lua *lua, const char *name) {
  mp_lua_call *call = begin(lua, -1, NULL);
  if (!call) {
    return NULL;
  }
  lua_rawgeti(call->state, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  lua_pushstring(call->state, name);
  lua_rawget(call->state, -2);
  return with_function(call);
}

static void enter(mp_lua_call *call) {
  mp_lua *lua = call->lua;
  mp_watch(call);
  call->next = mp_current;
  mp_current = call;
  lua->running = call;
  lua->is_guest = true;
}

static int leave(mp_lua_call *call, int status) {
  call->lua->is_guest = false;
  call->lua->running = NULL;
  mp_current = call->next;
  call->next = NULL;
  if (status == LUA_ERRMEM && !call->stopped) {
    call->stopped = MP_LUA_OUT_OF_MEMORY;
  }
  if (status == LUA_OK) {
    return MP_LUA_DONE;
  }
  return call->stopped ? call->stopped : status == LUA_ERRSYNTAX ? MP_LUA_SYNTAX : MP_LUA_FAILED;
}

int mp_lua_run(mp_lua_call *call, int arguments) {
  lua_State *state = call->state;
  int given = lua_gettop(state) - 1;
  (void)arguments;
  lua_pushcfunction(state, mp_on_error);
  lua_insert(state, 1);
  enter(call);
  int status = lua_pcall(state, given, 1, 1);
  lua_remove(state, 1);
  return leave(call, status);
}

int mp_lua_resume(mp_lua_call *call, int arguments, int raise) {
  lua_State *state = call->state;
  call->resumes_with_error = raise != 0;
  int given = call->is_resumed ? arguments : lua_gettop(state) - 1;
  call->is_resumed = true;
  enter(call);
  int results = 0;
  int status = lua_resume(state, NULL, given, &results);
  if (status == LUA_YIELD) {
    leave(call, LUA_OK);
    return MP_LUA_SUSPENDED;
  }
  if (status == LUA_OK) {
    if (results == 0) {
      lua_settop(state, 0);
      lua_pushnil(state);
    } else {
      lua_pushvalue(state, -results);
      lua_replace(state, 1);
      lua_settop(state, 1);
    }
  } else if (!call->stopped && status != LUA_ERRMEM) {
    mp_collect_places(call, 0);
  }
  return leave(call, status);
}

void *mp_lua_end(mp_lua_call *call) {
  void *released = call->lua->released;
  call->lua->released = NULL;
  give_back(call);
  return released;
}

void mp_lua_unlock(mp_lua_call *call) {
  call->lua->is_guest = false;
  call->lua->running = NULL;
  call->paused = call->deadline ? mp_now() : 0;
  pthread_mutex_unlock(&call->lua->lock);
}

void mp_lua_lock(mp_lua_call *call) {
  pthread_mutex_lock(&call->lua->lock);
  if (call->paused) {
    call->deadline += mp_now() - call->paused;
  }
}

void mp_lua_forget(mp_lua *lua, int reference) {
  pthread_mutex_lock(&lua->lock);
  luaL_unref(lua->main, LUA_REGISTRYINDEX, reference);
  pthread_mutex_unlock(&lua->lock);
}

long long mp_lua_symbol(const mp_lua_call *call) { return call->symbol; }
void *mp_lua_frame(const mp_lua_call *call) { return call->frame; }
int mp_lua_is_suspendable(mp_lua_call *call) { return lua_isyieldable(call->state); }
unsigned long long mp_lua_instructions(const mp_lua *lua) { return lua->instructions; }
unsigned long long mp_lua_memory(const mp_lua *lua) { return lua->used; }
unsigned long long mp_lua_memory_peak(const mp_lua *lua) { return lua->peak; }

// Compiling

typedef struct source {
  mp_lua_call *call;
  const char *module, *file, *text;
  size_t length, given;
} source;

/// Hands over the text in small pieces, so that the compiler's time is limited too.
static const char *read_source(lua_State *state, void *data, size_t *size) {
  (void)state;
  source *text = data;
  enum { PIECE = 1024 };
  mp_check_time(text->call);
  *size = text->length - text->given < PIECE ? text->length - text->given : PIECE;
  const char *piece = text->text + text->given;
  text->given += *size;
  return *size ? piece : NULL;
}

static int add_source(lua_State *state) {
  source *text = lua_touserdata(state, 1);
  lua_rawgetp(state, LUA_REGISTRYINDEX, &mp_modules);
  lua_pushfstring(state, "@%s", text->file);
  int status = lua_load(state, read_source, text, lua_tostring(state, -1), "t");
  if (status != LUA_OK) {
    text->call->has_places = false;
    lua_pushinteger(state, status);
    return 2;
  }
  lua_setfield(state, 2, text->module);
  return 0;
}

int mp_lua_add(mp_lua *lua, const char *module, const char *file, const char *text, unsigned long length, char *message,
               unsigned long capacity) {
  mp_lua_call *call = begin(lua, -1, NULL);
  if (!call) {
    return MP_LUA_OUT_OF_MEMORY;
  }
  source given = {.call = call, .module = module, .file = file, .text = text, .length = length};
  lua_pushcfunction(call->state, add_source);
  lua_pushlightuserdata(call->state, &given);
  enter(call);
  int status = lua_pcall(call->state, 1, 2, 0);
  if (status == LUA_OK && lua_isinteger(call->state, -1)) {
    status = (int)lua_tointeger(call->state, -1);
  }
  if (status == LUA_OK) {
    lua_settop(call->state, 0);
  } else if (lua_gettop(call->state) > 1) {
    lua_settop(call->state, 1);
  }
  int result = leave(call, status);
  if (result != MP_LUA_DONE && capacity > 0) {
    strncpy(message, mp_lua_message(call), capacity - 1);
    message[capacity - 1] = 0;
  }
  give_back(call);
  return result;
}
