// The limits of a call: instructions, time and memory.

#include "internal.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

uint64_t mp_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

int mp_stop(mp_lua_call *call, int reason) {
  if (!call->stopped) {
    call->stopped = reason;
    mp_collect_places(call, 0);
  }
  // From now on at every instruction, so that nothing goes on that catches the error.
  call->step = 1;
  mp_watch(call);
  lua_pushlightuserdata(call->state, call);
  return lua_error(call->state);
}

void mp_check_time(mp_lua_call *call) {
  uint64_t now = mp_now();
  if (call->deadline == 0) {
    call->deadline = now + call->lua->limits.nanoseconds;
  } else if (now > call->deadline) {
    mp_stop(call, MP_LUA_OUT_OF_TIME);
  }
}

static void on_count(lua_State *state, lua_Debug *unused) {
  (void)unused;
  mp_lua_call *call = mp_call_of(state);
  if (call->stopped) {
    mp_stop(call, call->stopped);
  }
  call->budget -= call->step;
  call->lua->instructions += (uint64_t)call->step;
  if (call->budget <= 0) {
    mp_stop(call, MP_LUA_OUT_OF_INSTRUCTIONS);
  }
  mp_check_time(call);
  if (call->step > MP_LUA_FINE_STEP && call->lua->is_fine) {
    call->step = MP_LUA_FINE_STEP;
    mp_watch(call);
  }
}

void mp_watch(mp_lua_call *call) { lua_sethook(call->state, on_count, LUA_MASKCOUNT, call->step); }

void mp_charge(lua_State *state, uint64_t work) {
  mp_lua_call *call = mp_call_of(state);
  if (call->stopped) {
    mp_stop(call, call->stopped);
  }
  if (work >= (uint64_t)call->budget) {
    call->budget = 0;
    mp_stop(call, MP_LUA_OUT_OF_INSTRUCTIONS);
  }
  call->budget -= (long long)work;
  call->lua->instructions += work;
  if (work >= MP_LUA_STEP) {
    mp_check_time(call);
  }
}

/// Lua's allocator. Only Lua's own code is refused memory: what the host pushes was asked for before (see values.c), and
/// an error there would have nowhere to go.
void *mp_allocate(void *context, void *block, size_t old_size, size_t new_size) {
  mp_lua *lua = context;
  size_t had = block ? old_size : 0;
  if (new_size == 0) {
    free(block);
    lua->used -= had;
    return NULL;
  }
  if (new_size > had) {
    size_t growth = new_size - had;
    bool is_long_string = !block && old_size == LUA_TSTRING && new_size > lua->limits.string + 64;
    bool is_too_much = growth > lua->limits.memory || lua->used > lua->limits.memory - growth;
    if (lua->is_guest && (is_long_string || is_too_much)) {
      if (lua->running && !lua->running->stopped) {
        mp_collect_places(lua->running, 0);
      }
      return NULL;
    }
    if (new_size > MP_LUA_LARGE_BLOCK && !lua->is_fine) {
      lua->is_fine = true;
      if (lua->is_guest && lua->running && lua->running->step > MP_LUA_FINE_STEP) {
        lua->running->step = MP_LUA_FINE_STEP;
        mp_watch(lua->running);
      }
    }
  }
  void *moved = realloc(block, new_size);
  if (moved) {
    lua->used += new_size - had;
    if (lua->used > lua->peak) {
      lua->peak = lua->used;
    }
  }
  return moved;
}
