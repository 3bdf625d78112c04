#include "CPostgres.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// libpq's values as <libpq-fe.h> has them.
enum { CONNECTION_OK };
enum {
  PGRES_COMMAND_OK = 1,
  PGRES_TUPLES_OK = 2,
  PGRES_NONFATAL_ERROR = 6,
  PGRES_PIPELINE_SYNC = 10,
  PGRES_PIPELINE_ABORTED = 11,
};
enum { PG_DIAG_SQLSTATE = 'C', PG_DIAG_MESSAGE_PRIMARY = 'M' };

typedef struct option {
  char *keyword, *envvar, *compiled, *val, *label, *dispchar;
  int dispsize;
} option;

static struct {
  mp_postgres_connection *(*connect)(const char *const *, const char *const *, int);
  int (*status)(const mp_postgres_connection *);
  int (*needs_password)(const mp_postgres_connection *);
  char *(*error)(const mp_postgres_connection *);
  const char *(*parameter)(const mp_postgres_connection *, const char *);
  void (*finish)(mp_postgres_connection *);
  option *(*parse)(const char *, char **);
  void (*free_options)(option *);
  void (*free_memory)(void *);
  int (*enter_pipeline)(mp_postgres_connection *);
  int (*send_prepare)(mp_postgres_connection *, const char *, const char *, int, const unsigned *);
  int (*send_run)(
      mp_postgres_connection *, const char *, int, const char *const *, const int *, const int *, int);
  int (*send_text)(
      mp_postgres_connection *, const char *, int, const unsigned *, const char *const *, const int *, const int *,
      int);
  int (*sync)(mp_postgres_connection *);
  mp_postgres_result *(*next)(mp_postgres_connection *);
  int (*outcome)(const mp_postgres_result *);
  char *(*field)(const mp_postgres_result *, int);
  char *(*message)(const mp_postgres_result *);
  char *(*tag)(mp_postgres_result *);
  void (*clear)(mp_postgres_result *);
  int (*rows)(const mp_postgres_result *);
  int (*columns)(const mp_postgres_result *);
  char *(*name)(const mp_postgres_result *, int);
  unsigned (*type)(const mp_postgres_result *, int);
  int (*is_null)(const mp_postgres_result *, int, int);
  char *(*value)(const mp_postgres_result *, int, int);
  int (*length)(const mp_postgres_result *, int, int);
} library;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static mp_postgres_library state = MP_POSTGRES_MISSING;

static void load(void) {
#if defined(__APPLE__)
  static const char *const names[] = {
      "libpq.5.dylib", "/opt/homebrew/opt/libpq/lib/libpq.5.dylib", "/usr/local/opt/libpq/lib/libpq.5.dylib"};
#else
  static const char *const names[] = {"libpq.so.5"};
#endif
  void *found = NULL;
  for (size_t index = 0; !found && index < sizeof names / sizeof *names; index++) {
    found = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
  }
  if (!found) return;
  const struct {
    void *place;
    const char *name;
  } functions[] = {
      {&library.connect, "PQconnectdbParams"},
      {&library.status, "PQstatus"},
      {&library.needs_password, "PQconnectionNeedsPassword"},
      {&library.error, "PQerrorMessage"},
      {&library.parameter, "PQparameterStatus"},
      {&library.finish, "PQfinish"},
      {&library.parse, "PQconninfoParse"},
      {&library.free_options, "PQconninfoFree"},
      {&library.free_memory, "PQfreemem"},
      {&library.enter_pipeline, "PQenterPipelineMode"},
      {&library.send_prepare, "PQsendPrepare"},
      {&library.send_run, "PQsendQueryPrepared"},
      {&library.send_text, "PQsendQueryParams"},
      {&library.sync, "PQpipelineSync"},
      {&library.next, "PQgetResult"},
      {&library.outcome, "PQresultStatus"},
      {&library.field, "PQresultErrorField"},
      {&library.message, "PQresultErrorMessage"},
      {&library.tag, "PQcmdStatus"},
      {&library.clear, "PQclear"},
      {&library.rows, "PQntuples"},
      {&library.columns, "PQnfields"},
      {&library.name, "PQfname"},
      {&library.type, "PQftype"},
      {&library.is_null, "PQgetisnull"},
      {&library.value, "PQgetvalue"},
      {&library.length, "PQgetlength"},
  };
  for (size_t index = 0; index < sizeof functions / sizeof *functions; index++) {
    void *function = dlsym(found, functions[index].name);
    if (!function) {
      state = MP_POSTGRES_OLD;
      return;
    }
    memcpy(functions[index].place, &function, sizeof function);
  }
  state = MP_POSTGRES_READY;
}

mp_postgres_library mp_postgres_load(void) {
  pthread_once(&once, load);
  return state;
}

mp_postgres_connection *mp_postgres_connect(const char *const *keys, const char *const *values) {
  return library.connect(keys, values, 1);
}

bool mp_postgres_is_connected(const mp_postgres_connection *connection) {
  return library.status(connection) == CONNECTION_OK;
}

bool mp_postgres_needs_password(const mp_postgres_connection *connection) {
  return library.needs_password(connection) != 0;
}

const char *mp_postgres_error(const mp_postgres_connection *connection) { return library.error(connection); }

const char *mp_postgres_parameter(const mp_postgres_connection *connection, const char *name) {
  return library.parameter(connection, name);
}

void mp_postgres_finish(mp_postgres_connection *connection) { library.finish(connection); }

char *mp_postgres_address_problem(const char *address) {
  char *problem = NULL;
  option *options = library.parse(address, &problem);
  if (options) {
    library.free_options(options);
    return NULL;
  }
  char *copy = strdup(problem ? problem : "no memory");
  if (problem) library.free_memory(problem);
  return copy;
}

bool mp_postgres_enter_pipeline(mp_postgres_connection *connection) { return library.enter_pipeline(connection) == 1; }

bool mp_postgres_send_prepare(
    mp_postgres_connection *connection, const char *name, const char *text, int count, const uint32_t *types) {
  return library.send_prepare(connection, name, text, count, types) == 1;
}

bool mp_postgres_send_run(
    mp_postgres_connection *connection, const char *name, int count, const char *const *values, const int *lengths,
    const int *formats) {
  return library.send_run(connection, name, count, values, lengths, formats, 1) == 1;
}

bool mp_postgres_send_text(mp_postgres_connection *connection, const char *text) {
  return library.send_text(connection, text, 0, NULL, NULL, NULL, NULL, 1) == 1;
}

bool mp_postgres_send_sync(mp_postgres_connection *connection) { return library.sync(connection) == 1; }

mp_postgres_result *mp_postgres_next(mp_postgres_connection *connection) { return library.next(connection); }

mp_postgres_outcome mp_postgres_outcome_of(const mp_postgres_result *result) {
  switch (library.outcome(result)) {
    case PGRES_COMMAND_OK:
    case PGRES_NONFATAL_ERROR: return MP_POSTGRES_DONE;
    case PGRES_TUPLES_OK: return MP_POSTGRES_ROWS;
    case PGRES_PIPELINE_SYNC: return MP_POSTGRES_SYNC;
    case PGRES_PIPELINE_ABORTED: return MP_POSTGRES_SKIPPED;
    default: return MP_POSTGRES_FAILED;
  }
}

const char *mp_postgres_state(const mp_postgres_result *result) {
  const char *found = library.field(result, PG_DIAG_SQLSTATE);
  return found ? found : "";
}

const char *mp_postgres_message(const mp_postgres_result *result) {
  const char *found = library.field(result, PG_DIAG_MESSAGE_PRIMARY);
  return found ? found : library.message(result);
}

const char *mp_postgres_tag(const mp_postgres_result *result) { return library.tag((mp_postgres_result *)result); }

void mp_postgres_clear(mp_postgres_result *result) { library.clear(result); }

int mp_postgres_row_count(const mp_postgres_result *result) { return library.rows(result); }
int mp_postgres_column_count(const mp_postgres_result *result) { return library.columns(result); }

const char *mp_postgres_column_name(const mp_postgres_result *result, int column) {
  return library.name(result, column);
}

uint32_t mp_postgres_type(const mp_postgres_result *result, int column) { return library.type(result, column); }

bool mp_postgres_is_null(const mp_postgres_result *result, int row, int column) {
  return library.is_null(result, row, column) != 0;
}

const char *mp_postgres_value(const mp_postgres_result *result, int row, int column) {
  return library.value(result, row, column);
}

int mp_postgres_length(const mp_postgres_result *result, int row, int column) {
  return library.length(result, row, column);
}
