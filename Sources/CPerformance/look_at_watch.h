/// The look at one watch: is it at work, since when, and has it hung. Private to CPerformance.
#ifndef MP_LOOK_AT_WATCH_H
#define MP_LOOK_AT_WATCH_H

#include "hang_state.h"

void mp_look_at(mp_watch *watch, int number);
/// Begins anew, as after a pause.
void mp_forget_past(mp_watch *watch);
/// Ends a hang that is under way, with the watch.
void mp_end_watch(mp_watch *watch);

#endif
