#include "crash_handler.h"
