/// The record of a severe hang: what remains where the process is killed. Private to CPerformance.
#ifndef MP_HANG_RECORD_H
#define MP_HANG_RECORD_H

#include "hang_state.h"

/// Begins the record of a hang with all samples so far, and the stacks of the other threads.
void mp_hang_record_begin(mp_watch *watch);
/// Adds a sample, where there is a record.
void mp_hang_record_add(mp_watch *watch, const mp_hang_sample *sample);
/// Ends the record: it is kept as a whole one.
void mp_hang_record_finish(mp_watch *watch);
/// Takes the record away.
void mp_hang_record_discard(mp_watch *watch);

#endif
