/// The other threads of the process: listing them, asking them, stopping them. Private.
#ifndef MP_THREADS_H
#define MP_THREADS_H

#include "mp_text.h"
#include "state.h"

typedef enum mp_request {
  /// Take an alternate stack.
  MP_REQUEST_STACK,
  /// Show your registers and wait.
  MP_REQUEST_STOP,
} mp_request;

/// Requests travel by SIGSYS: it is ours, and libdispatch's workers, which block nearly all signals, do not block it.
#define MP_REQUEST_SIGNAL SIGSYS

/// Sends a request; false where the thread is gone. Async-signal-safe.
bool mp_ask_thread(int tid, mp_request request);
/// Tells whether a signal is a request of ours, and which.
bool mp_is_request(int number, const siginfo_t *signal, mp_request *request);

/// Stops every other thread; those that do not answer in time stay in their slots as silent. Async-signal-safe.
void mp_stop_threads(void);
/// Lets the stopped threads go on. Async-signal-safe.
void mp_resume_threads(void);
/// The stopped thread's side: shows its registers and waits until the crash is written.
void mp_stand_still(const void *ucontext, bool also_crashed);

#endif
