/// Lua 5.4 behind functions that never jump: every error of Lua is caught in C, since longjmp must not cross Swift
/// frames.
///
/// A state (`mp_lua`) holds one patch. A call (`mp_lua_call`) is a coroutine of it with limits of its own; the state's
/// lock is held from `mp_lua_begin` to `mp_lua_end`, except while the app's own code runs and while a call is
/// suspended. So calls come from any thread, and an app's function that Lua calls may call patched functions again.
#ifndef MP_LUA_H
#define MP_LUA_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mp_lua mp_lua;
typedef struct mp_lua_call mp_lua_call;

/// The release of Lua that is linked, such as "Lua 5.4.4".
const char *mp_lua_release(void);

typedef struct mp_lua_limits {
  /// Instructions of one call; work inside library functions counts too.
  unsigned long long instructions;
  /// Nanoseconds that one call may run; time in the app's functions does not count.
  unsigned long long nanoseconds;
  /// Bytes of the whole state.
  unsigned long long memory;
  /// Bytes of one string.
  unsigned long long string;
  /// The number of instructions between two looks at the limits; 0 for the default.
  int step;
} mp_lua_limits;

#define MP_LUA_DONE 0
/// It waits for `mp_lua_resume`.
#define MP_LUA_SUSPENDED 1
#define MP_LUA_FAILED 2
#define MP_LUA_OUT_OF_INSTRUCTIONS 3
#define MP_LUA_OUT_OF_TIME 4
#define MP_LUA_OUT_OF_MEMORY 5
#define MP_LUA_SYNTAX 6

/// The requests to the host besides calling a function that was defined with an id from 0 up.
/// Arguments: the text, the file, the line.
#define MP_LUA_LOG (-1)
/// Arguments: the symbol's name, the reference of the function, that of `self` or 0. No result.
#define MP_LUA_PATCH (-2)
/// Argument: the symbol's name. Result: the id of a function that calls the original.
#define MP_LUA_ORIGINAL_OF (-3)
/// `ORIG(…)`: the original of the function that the call replaces.
#define MP_LUA_ORIGINAL (-4)

/// The results that a host function gives instead of a number of results.
/// The value on top is raised as an error.
#define MP_LUA_RAISE (-1)
/// The call is suspended; what `mp_lua_resume` is given are the results.
#define MP_LUA_SUSPEND (-2)

/// Does what Lua asks for. Arguments stand at 1…`arguments`; results are pushed. The lock is held.
typedef int (*mp_lua_host)(void *context, mp_lua_call *call, long long function, int arguments);

/// A state with the allowed globals; NULL where there is no memory.
mp_lua *mp_lua_create(const mp_lua_limits *limits, mp_lua_host host);
/// The value that the host's function is given; set it before anything else.
void mp_lua_set_context(mp_lua *lua, void *context);
/// No call may be under way. Objects are left for `mp_lua_released`.
void *mp_lua_destroy(mp_lua *lua);

/// The work before the first call: names for ids of the host's functions. Dots make tables. Give 0 where the name is
/// taken.
int mp_lua_define(mp_lua *lua, const char *name, long long function);
/// A type of objects; `type` counts from 0.
int mp_lua_define_type(mp_lua *lua, int type, const char *name);
int mp_lua_define_method(mp_lua *lua, int type, const char *name, long long function);

/// Compiles the text of a file and keeps it for `require(module)`; text only, never bytecode.
/// - Returns: MP_LUA_DONE, or what went wrong, with the message (cut off) in `message`.
int mp_lua_add(mp_lua *lua, const char *module, const char *file, const char *text, unsigned long length, char *message,
               unsigned long capacity);

/// Begins a call and takes the lock.
/// - Parameters:
///   - reference: Of the function; see MP_LUA_PATCH.
///   - self: The reference of the first argument, or 0.
///   - symbol: What `mp_lua_symbol` gives back.
///   - frame: What `mp_lua_frame` gives back.
/// - Returns: NULL where too many calls are under way.
mp_lua_call *mp_lua_begin(mp_lua *lua, int reference, int self, long long symbol, void *frame);
/// The same for the file that was added as `module`; NULL where there is none.
mp_lua_call *mp_lua_begin_module(mp_lua *lua, const char *module);
/// The same for the global function `name`; NULL where there is none.
mp_lua_call *mp_lua_begin_global(mp_lua *lua, const char *name);
/// Runs the function with the `arguments` that were pushed. Results stand at 1….
int mp_lua_run(mp_lua_call *call, int arguments);
/// The same for a function that may be suspended: first, and after each suspension, with what it waited for; where
/// `raise` is set, the value on top is raised there.
int mp_lua_resume(mp_lua_call *call, int arguments, int raise);
/// Ends the call and gives up the lock.
/// - Returns: Objects that Lua holds no more, for `mp_lua_released`; mostly NULL.
void *mp_lua_end(mp_lua_call *call);
/// The first object of the list; the list moves on, and ends with NULL.
void *mp_lua_released(void **list);

/// Around the app's own code, and around a suspension.
void mp_lua_unlock(mp_lua_call *call);
void mp_lua_lock(mp_lua_call *call);

/// Frees a reference that MP_LUA_PATCH gave; the lock must not be held.
void mp_lua_forget(mp_lua *lua, int reference);

long long mp_lua_symbol(const mp_lua_call *call);
void *mp_lua_frame(const mp_lua_call *call);
/// Tells whether the call may be suspended here.
int mp_lua_is_suspendable(mp_lua_call *call);
/// The functions between begin and end, counted; and how much memory the state uses and used at most.
unsigned long long mp_lua_instructions(const mp_lua *lua);
unsigned long long mp_lua_memory(const mp_lua *lua);
unsigned long long mp_lua_memory_peak(const mp_lua *lua);

// Values. Pushing gives 0 where there is no room for the value.

#define MP_LUA_NONE (-1)
#define MP_LUA_NIL 0
#define MP_LUA_BOOLEAN 1
#define MP_LUA_INTEGER 2
#define MP_LUA_NUMBER 3
#define MP_LUA_STRING 4
#define MP_LUA_TABLE 5
#define MP_LUA_OBJECT 6
#define MP_LUA_FUNCTION 7

int mp_lua_push_nil(mp_lua_call *call);
int mp_lua_push_boolean(mp_lua_call *call, int value);
int mp_lua_push_integer(mp_lua_call *call, long long value);
int mp_lua_push_number(mp_lua_call *call, double value);
int mp_lua_push_string(mp_lua_call *call, const void *bytes, unsigned long length);
/// An object of a type that was defined; `text` is what `tostring` gives, NULL for the type's name. Lua holds the
/// object until it comes back from `mp_lua_released`.
int mp_lua_push_object(mp_lua_call *call, void *object, int type, const char *text, unsigned long length);
int mp_lua_push_table(mp_lua_call *call, long elements, long members);
/// Takes the value on top into the table below it.
int mp_lua_set_element(mp_lua_call *call, long long index);
int mp_lua_set_member(mp_lua_call *call, const void *name, unsigned long length);

int mp_lua_top(const mp_lua_call *call);
void mp_lua_pop(mp_lua_call *call, int count);
int mp_lua_type_of(const mp_lua_call *call, int index);
/// Gives 1 where the value is a number that is whole.
int mp_lua_get_integer(mp_lua_call *call, int index, long long *value);
int mp_lua_get_number(mp_lua_call *call, int index, double *value);
int mp_lua_get_boolean(mp_lua_call *call, int index);
/// The bytes of a string, valid while it is on the stack; NULL for any other value.
const char *mp_lua_get_string(mp_lua_call *call, int index, unsigned long *length);
/// The object and its type; NULL for any other value.
void *mp_lua_get_object(mp_lua_call *call, int index, int *type);
/// The length of a table as `#` gives it.
unsigned long long mp_lua_length(mp_lua_call *call, int index);
/// Pushes an element or a member of a table.
int mp_lua_get_element(mp_lua_call *call, int index, long long element);
int mp_lua_get_member(mp_lua_call *call, int index, const void *name, unsigned long length);
/// Pushes the next key and value behind the key on top, which is taken; 0 at the end.
int mp_lua_next(mp_lua_call *call, int index);

// The error behind a status that tells of one.

/// The message, cut off where it is long; it lies in the call.
const char *mp_lua_message(mp_lua_call *call);
typedef struct mp_lua_place {
  /// The file, as it was named to `mp_lua_add`; "=" and no line for functions of the host.
  char file[64];
  char function[40];
  int line;
} mp_lua_place;
/// The stack of the event, innermost first.
int mp_lua_place_count(const mp_lua_call *call);
const mp_lua_place *mp_lua_place_at(const mp_lua_call *call, int index);

/// Names the patch for crash reports: at most 63 bytes.
void mp_lua_set_name(mp_lua *lua, const char *name);

/// Takes away from the process all that running a patch does not need: for programs that do nothing else afterwards.
///
/// Descriptors but the three standard ones are closed. CPU time and address space are limited, and the process is ended
/// after twenty times the CPU time in any case. On Linux no new privileges can be had, and seccomp refuses (EPERM)
/// every call to the system but those for memory without code, time, locks, writing to standard output and error, and
/// the end.
///
/// Returns 0, or the error number where the system does not support that.
int mp_confine(unsigned seconds, unsigned long long address_space);

#ifdef __cplusplus
}
#endif
#endif
