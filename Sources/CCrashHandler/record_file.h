/// The file that a record is written to: opened long before, named when it is whole. Private.
#ifndef MP_RECORD_FILE_H
#define MP_RECORD_FILE_H

#include "state.h"

/// Opens, locks and reserves `state->directory`'s file for this process; returns 0 or an errno.
int mp_record_file_open(mp_state *state);
/// Opens a forked child's own file, where that has not been done. Async-signal-safe.
void mp_record_file_reopen_after_fork(mp_state *state);
/// Gives the record its final name, unless writing failed. Async-signal-safe.
void mp_record_file_finish(mp_state *state);
/// Takes the unused file away when the process ends in order.
void mp_record_file_discard(mp_state *state);

#endif
