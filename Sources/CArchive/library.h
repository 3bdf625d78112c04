#pragma once
#include <locale.h>
#if defined(__APPLE__)
#include <xlocale.h>
#endif

/// Opens libarchive; NULL where it is not there. Each caller gets a handle of its own, which stays open.
void *mp_archive_library(void);

/// The locale that names are converted in; (locale_t)0 where the system has none with all characters.
locale_t mp_archive_locale(void);
