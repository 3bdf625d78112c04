#include <stdexcept>

#include "faults.h"

void fault_cxx_exception(void) {
  throw std::runtime_error("the exchange is closed");  // crash: cxx-exception
}
