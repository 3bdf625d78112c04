#include "compression.h"
