#if defined(__linux__)

#include <cstdlib>
#include <cxxabi.h>
#include <exception>
#include <typeinfo>

extern "C" {
void mp_terminate_hook_install(void);
void mp_keep_exception(const char *type, const char *what);
}

static std::terminate_handler previous;

/// Keeps type and text of the exception that nobody catches; runs before any unwinding, in no signal handler.
static void on_terminate() {
  if (std::type_info *type = abi::__cxa_current_exception_type()) {
    int status = 0;
    char *readable = abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
    const char *name = status == 0 ? readable : type->name();
    try {
      throw;
    } catch (const std::exception &exception) {
      mp_keep_exception(name, exception.what());
    } catch (const char *text) {
      mp_keep_exception(name, text);
    } catch (...) {
      mp_keep_exception(name, nullptr);
    }
    std::free(readable);
  }
  if (previous) previous();
  std::abort();
}

void mp_terminate_hook_install(void) {
  previous = std::set_terminate(on_terminate);
}

#endif
