/// The parts of C that capture from outside needs: forking, `ptrace` (variadic) and `waitpid`'s packed status.
///
/// Linux only; elsewhere every function returns `-ENOTSUP`. Functions return 0 or more on success and a negated
/// `errno` otherwise. All calls about one traced process come from the thread that seized it.
#ifndef MPAAS_TRACE_H
#define MPAAS_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace_probe.h"

#ifdef __cplusplus
extern "C" {
#endif

// Threads and processes

typedef enum mt_event_kind {
  mt_event_signal = 0,    ///< A signal is about to be delivered: `signal` names it.
  mt_event_child = 1,     ///< fork, vfork or clone: `message` is the new thread.
  mt_event_exec = 2,      ///< exec: `message` is the thread's earlier number.
  mt_event_exit = 3,      ///< The thread is about to end: `message` is its wait status.
  mt_event_stop = 4,      ///< Stopped on request, or a new thread's first stop.
  mt_event_group = 5,     ///< Stopped with its process by a stop signal.
  mt_event_exited = 6,    ///< Ended with status `message`.
  mt_event_killed = 7,    ///< Ended by `signal`.
  mt_event_other = 8      ///< Anything else that only needs to go on.
} mt_event_kind;

typedef struct {
  int thread;
  mt_event_kind kind;
  int signal;
  uint64_t message;
} mt_event;

/// The facts of `siginfo_t`, without its unions.
typedef struct {
  int signal;
  int code;
  int error;
  int sender;
  uint64_t address;
} mt_signal;

enum { mt_register_limit = 40 };

/// A thread's registers in the kernel's order (`user_regs_struct`, `user_pt_regs`).
typedef struct {
  int count;
  uint64_t values[mt_register_limit];
} mt_registers;

/// The number of registers of this machine's threads, and the name of each in the order of `mt_registers`.
int mt_register_count(void);
const char *mt_register_name(int index);

/// Starts tracing a thread without stopping it; its children will be traced too where `follow` is set.
int mt_seize(int thread, bool follow);
/// Asks a traced thread to stop; `mt_event_stop` tells when it has.
int mt_interrupt(int thread);
/// Lets a stopped thread go on, with a signal delivered where `signal` is not 0.
int mt_resume(int thread, int signal);
/// Leaves a thread in its group stop while telling about what happens to it.
int mt_listen(int thread);
int mt_detach(int thread, int signal);
int mt_get_registers(int thread, mt_registers *registers);
int mt_set_registers(int thread, const mt_registers *registers);
int mt_get_signal(int thread, mt_signal *signal);

/// Waits for something to happen to a traced thread or child of the calling thread.
///
/// - thread: one thread, or -1 for any.
/// - block: without it, 0 comes back at once where nothing has happened.
/// Returns 1 with `event` filled, 0, or a negated errno (`-ECHILD`: none is left; `-EINTR`).
int mt_wait(int thread, bool block, mt_event *event);

/// Takes the end of a process as `mt_wait` does, without blocking, and leaves its stops alone.
int mt_take_end(int process, mt_event *event);

/// Copies memory of another process; the number of bytes copied, which is fewer where a page is not mapped.
long mt_read_memory(int process, uint64_t address, void *target, size_t size);

/// Writes memory of a traced process that stands still, read-only code too.
int mt_write_memory(int process, uint64_t address, const void *bytes, size_t size);

// The words of a program on its standard error

/// Keeps the newest bytes that a program and its children write to descriptor 2.
///
/// A seccomp filter that the program inherits sends each such write here before it happens (user notification, Linux
/// 5.5); the bytes are copied and the write goes on. A small process of its own, the keeper, lets the writes go on
/// after we are gone, as the filter stays for as long as the program's children live.
typedef struct mt_words mt_words;

enum { mt_words_capacity = 4096 };

/// Prepares for a program that will be forked next; NULL where the machine refuses.
mt_words *mt_words_prepare(void);
/// Starts listening, after the program was forked.
void mt_words_serve(mt_words *words);
/// Copies the newest bytes of a process, oldest first, into `target` of `mt_words_capacity` bytes; how many.
int mt_words_copy(mt_words *words, int process, char *target);
/// Hands the rest of the program's life over to the keeper.
void mt_words_end(mt_words *words);

// Starting a program

typedef struct {
  const char *program;  ///< A path, or a name that is looked up in PATH.
  char *const *arguments;
  char *const *environment;
  mt_words *words;  ///< NULL: none are kept.
  int output;  ///< The descriptor that becomes its standard output and error; -1 leaves those of this process.
} mt_command;

/// The environment of this process with `assignment` (`NAME=value`) added where NAME is not set; `free` gives it back.
char **mt_environment_adding(const char *assignment);

/// Forks a child that waits for `mt_launch`; its process number, and in `gate` the descriptor to it.
int mt_fork(const mt_command *command, int *gate);
/// Lets the forked child exec.
int mt_launch(int gate);
/// Once the child has ended without an exec event: the negated errno of exec, or 0. Closes `gate`.
int mt_launch_error(int gate);
/// Ends a forked child that was not launched, and closes `gate`.
void mt_abandon(int child, int gate);

// Signals on their way to the program

/// Sends the signals that reach this process from now on to `target`, but for those that the terminal sent to both.
///
/// Signals that are ignored stay so. One target at a time: -EBUSY otherwise.
int mt_forward_start(int target);
/// The sender of the signal that was forwarded last, 0 where none was.
int mt_forward_sender(int signal);
/// Puts the earlier dispositions back.
void mt_forward_stop(void);

/// Runs `body(context)` on a thread of its own with no signal blocked, and waits for it.
int mt_on_thread(void (*body)(void *), void *context);

#ifdef __cplusplus
}
#endif

#endif
