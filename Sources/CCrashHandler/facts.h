/// The facts of a report about the process and the machine, found out while all is well. Private.
#ifndef MP_FACTS_H
#define MP_FACTS_H

#include "state.h"

void mp_facts_gather(mp_facts *facts, const mp_crash_configuration *configuration);

#endif
