#ifndef MPAAS_WORDS_H
#define MPAAS_WORDS_H

#include "trace.h"

/// In the forked child: installs the filter and sends its listener to the parent. 0, also where the machine has no
/// such filter; -1 where the filter is in place but has no listener.
int mt_words_install(mt_words *words);

#endif
