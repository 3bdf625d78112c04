#include <stdexcept>

extern "C" __attribute__((noinline)) void crash_case_cxx_exception() {
  throw std::runtime_error("the feed closed unexpectedly");  // crash: cxx-exception
}
