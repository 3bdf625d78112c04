// The calls that Lua was in, for the crash handler.

#include "internal.h"

extern _Thread_local mp_lua_call *mp_current;

/// Tells of the Lua functions that are under way on this thread, innermost first: their patch, file, line and name.
///
/// The crash handler calls it through a weak reference, so that neither of the two needs the other. It reads memory and
/// nothing else: no allocation, no lock, so it may run in a signal handler. A state that a crash left half-changed may
/// make it fault; the handler outlives that.
void mp_lua_tell_stack(void (*take)(void *context, const char *patch, const char *file, unsigned line, const char *function),
                       void *context) {
  enum { MOST = 64, CALLS = 16, DEEPEST = 100000 };
  int count = 0, calls = 0;
  for (mp_lua_call *call = mp_current; call && calls < CALLS; call = call->next, calls++) {
    lua_Debug frame;
    for (int level = 0; level < DEEPEST && count < MOST && lua_getstack(call->state, level, &frame); level++) {
      if (!lua_getinfo(call->state, "Sln", &frame) || frame.what[0] == 'C') {
        continue;
      }
      const char *function = frame.name ? frame.name : frame.what[0] == 'm' ? "main chunk" : "";
      const char *file = frame.source[0] == '@' ? frame.source + 1 : frame.short_src;
      take(context, call->lua->name, file, frame.currentline > 0 ? (unsigned)frame.currentline : 0, function);
      count++;
    }
  }
}
