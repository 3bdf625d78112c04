/// Lua 5.4 behind functions that never jump: every error of Lua is caught in C, since longjmp must not cross Swift frames.
#ifndef MP_LUA_H
#define MP_LUA_H

#ifdef __cplusplus
extern "C" {
#endif

/// The release of Lua that is linked, such as "Lua 5.4.4".
const char *mp_lua_release(void);

#ifdef __cplusplus
}
#endif

#endif
