#include "unwind_session.h"
