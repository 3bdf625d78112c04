/// The steps of writing a record, in the order in which they matter. Private; all of it is async-signal-safe.
#ifndef MP_SECTIONS_H
#define MP_SECTIONS_H

#include "state.h"

/// Runs the steps from `state->step` on; a step that fails is left by a signal and `mp_write_rest` called again.
void mp_write_rest(void);

/// Runs the steps that neither stop threads nor touch the record's file.
void mp_write_all_but_file(void);

/// After a failure: goes on behind the step that failed, or with the last ones where time is up.
void mp_write_skip(bool to_the_end);

#endif
