/// A stack for signal handlers in every thread, so that a stack overflow can be reported wherever it happens. Private.
#ifndef MP_ALTERNATE_STACK_H
#define MP_ALTERNATE_STACK_H

#include "state.h"

/// Gives the calling thread an alternate stack unless it has one; false where memory is short.
bool mp_alternate_stack_here(void);
/// Lets faults of the calling thread through to the handler: a fault that is blocked ends the process without a report.
///
/// Threads inherit their mask, and some parents start children with everything blocked.
void mp_unblock_faults_here(void);
/// Gives one to every other thread of the process, by asking each with a signal. Not async-signal-safe.
void mp_alternate_stack_everywhere(void);
/// The asked thread's side, in its signal handler: the kernel takes the stack over when the handler returns.
void mp_alternate_stack_take(void *ucontext);

#endif
