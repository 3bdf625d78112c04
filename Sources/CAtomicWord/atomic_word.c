#include "CAtomicWord.h"

_Static_assert(__atomic_always_lock_free(sizeof(intptr_t), 0), "words are changed without a lock");
