#include "demangle.h"
