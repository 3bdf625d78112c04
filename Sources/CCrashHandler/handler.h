/// The signal handler. Private.
#ifndef MP_HANDLER_H
#define MP_HANDLER_H

#include "state.h"

/// Takes the fatal signals over, keeping what was there; returns 0 or an errno.
int mp_handler_install(void);

#endif
