/// The ring of breadcrumbs, in memory that outlives the process. Private.
#ifndef MP_BREADCRUMBS_H
#define MP_BREADCRUMBS_H

#include "mp_writer.h"

enum { MP_BREADCRUMB_COUNT = 128, MP_BREADCRUMB_TEXT = 112 };

/// Lays the ring into a file; returns 0 or an errno.
int mp_breadcrumbs_open(const char *path);
/// Gives a forked child a ring of its own, with what stood in its parent's.
void mp_breadcrumbs_after_fork(void);

#endif
