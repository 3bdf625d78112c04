#if defined(__linux__)

#include "mp_crash.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alternate_stack.h"
#include "breadcrumbs.h"
#include "crash_reporter.h"
#include "mp_facts.h"
#include "handler.h"
#include "last_words.h"
#include "record_file.h"
#include "rehearsal.h"
#include "mp_text.h"
#include "mp_writer.h"

static pthread_mutex_t installing = PTHREAD_MUTEX_INITIALIZER;
static bool uses_libunwind;

bool mp_crash_uses_libunwind(void) {
  return uses_libunwind;
}

static mp_crash_result explain(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return (mp_crash_result){MP_CRASH_DISK_FULL, error};
    case EMFILE:
    case ENFILE:
    case ENOMEM:
    case EFBIG:
      return (mp_crash_result){MP_CRASH_LIMIT, error};
    default:
      return (mp_crash_result){MP_CRASH_DIRECTORY, error};
  }
}

/// A forked child writes its own record; the file of it is opened only if it crashes.
static void after_fork(void) {
  mp_state *state = &mp_crash_state;
  if (state->file >= 0) close(state->file);
  state->file = -1;
  atomic_store(&state->crashing_thread, 0);
  atomic_store(&state->slot_count, 0);
  atomic_store(&state->answers, 0);
  mp_breadcrumbs_after_fork();
}

__attribute__((destructor(101))) static void discard(void) {
  if (atomic_load(&mp_crash_state.is_installed)) mp_record_file_discard(&mp_crash_state);
}

static mp_crash_result install(const mp_crash_configuration *configuration) {
  mp_state *state = &mp_crash_state;
  if (atomic_load(&state->is_installed)) return (mp_crash_result){MP_CRASH_ALREADY_INSTALLED, 0};
  state->file = -1;
  if (realpath(configuration->directory, state->directory) == NULL) return explain(errno);
  mp_facts_gather(&state->facts, configuration);
  mp_writer_prepare();
  state->time_limit = (uint64_t)(configuration->time_limit_ms == 0 ? 5000 : configuration->time_limit_ms) * 1000000u;
  state->page_size = sysconf(_SC_PAGESIZE);
  uses_libunwind = mp_unwind_prepare();
  int error = mp_record_file_open(state);
  if (error == 0) {
    error = mp_breadcrumbs_open(state->crumbs_path);
    if (error != 0) mp_record_file_discard(state);
  }
  if (error != 0) return explain(error);
  mp_last_words_prepare();
  mp_rehearse();
  state->fault_in_section = configuration->fault_in_section;
  state->hang_in_section = configuration->hang_in_section;
  pthread_atfork(NULL, NULL, after_fork);
  atomic_store(&state->is_installed, true);
  mp_alternate_stack_here();
  error = mp_handler_install();
  if (error != 0) return explain(error);
  mp_unblock_faults_here();
  mp_alternate_stack_everywhere();
  return (mp_crash_result){MP_CRASH_INSTALLED, 0};
}

mp_crash_result mp_crash_install(const mp_crash_configuration *configuration) {
  pthread_mutex_lock(&installing);
  mp_crash_result result = install(configuration);
  pthread_mutex_unlock(&installing);
  return result;
}

const mp_facts *mp_crash_facts(void) {
  return atomic_load(&mp_crash_state.is_installed) ? &mp_crash_state.facts : NULL;
}

const char *mp_crash_user(void) {
  return mp_crash_state.users[atomic_load(&mp_crash_state.user_index)];
}

void mp_crash_set_user(const char *hash) {
  mp_state *state = &mp_crash_state;
  pthread_mutex_lock(&installing);
  // The other of two places, so that a crash meanwhile reads a whole text.
  int next = 1 - atomic_load(&state->user_index);
  mp_text text = mp_text_in(state->users[next], sizeof state->users[next]);
  if (hash != NULL) mp_text_add(&text, hash);
  atomic_store(&state->user_index, next);
  pthread_mutex_unlock(&installing);
}

// MARK: Defaults

/// Makes a directory and those above it.
static int make_directory(char *path) {
  for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    int result = mkdir(path, 0755);
    *slash = '/';
    if (result != 0 && errno != EEXIST) return errno;
  }
  return mkdir(path, 0700) == 0 || errno == EEXIST ? 0 : errno;
}

static bool default_directory(char *to, size_t capacity) {
  const char *chosen = getenv("MPAAS_CRASH_DIRECTORY"), *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
  mp_text path = mp_text_in(to, capacity);
  if (chosen != NULL && chosen[0] != 0) {
    mp_text_add(&path, chosen);
    return true;
  }
  if (data != NULL && data[0] == '/') {
    mp_text_add(&path, data);
  } else if (home != NULL && home[0] == '/') {
    mp_text_add(&path, home);
    mp_text_add(&path, "/.local/share");
  } else {
    return false;
  }
  mp_text_add(&path, "/mpaas/crashes");
  return true;
}

int enable_crash_reporter_service(void) {
  char directory[PATH_MAX];
  if (!default_directory(directory, sizeof directory)) return ENOENT;
  int error = make_directory(directory);
  if (error != 0) return error;
  mp_crash_configuration configuration = {.directory = directory};
  mp_crash_result result = mp_crash_install(&configuration);
  return result.status == MP_CRASH_ALREADY_INSTALLED ? 0 : result.error;
}

#endif
