/// A record that is written and thrown away. Private.
#ifndef MP_REHEARSAL_H
#define MP_REHEARSAL_H

/// Does what the handler does, into /dev/null, once, while all is well.
///
/// Afterwards the loader has bound every function that the handler calls, libunwind has its memory, and the pages of
/// the handler's own memory are there: none of that may happen for the first time inside a signal handler. The copies
/// of the process' memory that it read are given back: those pages need no allocation, and weigh on the app all its
/// life.
void mp_rehearse(void);

#endif
