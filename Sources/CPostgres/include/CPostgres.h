#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// libpq, found when the first connection is made: who keeps everything in SQLite needs nothing of it.
///
/// The functions are libpq's own of the same names, and only called where mp_postgres_load() gave MP_POSTGRES_READY.
/// Source: PostgreSQL 15, chapter 34, with 34.5 "Pipeline Mode".

typedef enum {
  MP_POSTGRES_READY,
  /// The library is not on this machine.
  MP_POSTGRES_MISSING,
  /// It is older than 14, and has no pipelines.
  MP_POSTGRES_OLD,
} mp_postgres_library;

/// The outcomes of a statement that are told apart.
typedef enum {
  MP_POSTGRES_DONE,
  MP_POSTGRES_ROWS,
  MP_POSTGRES_SYNC,
  /// Not run, since one before it in the pipeline failed.
  MP_POSTGRES_SKIPPED,
  MP_POSTGRES_FAILED,
} mp_postgres_outcome;

typedef struct pg_conn mp_postgres_connection;
typedef struct pg_result mp_postgres_result;

mp_postgres_library mp_postgres_load(void);

/// Connects; NULL only where there is no memory. Keys and values end with NULL; `dbname` may be a whole address.
mp_postgres_connection *_Nullable mp_postgres_connect(
    const char *_Nullable const *_Nonnull keys, const char *_Nullable const *_Nonnull values);
bool mp_postgres_is_connected(const mp_postgres_connection *_Nonnull connection);
/// Tells whether the server asked for a password and none was there.
bool mp_postgres_needs_password(const mp_postgres_connection *_Nonnull connection);
const char *_Nonnull mp_postgres_error(const mp_postgres_connection *_Nonnull connection);
const char *_Nullable mp_postgres_parameter(
    const mp_postgres_connection *_Nonnull connection, const char *_Nonnull name);
void mp_postgres_finish(mp_postgres_connection *_Nonnull connection);

/// The reason why an address is none, to be given to free(); NULL where it is one.
char *_Nullable mp_postgres_address_problem(const char *_Nonnull address);

bool mp_postgres_enter_pipeline(mp_postgres_connection *_Nonnull connection);
bool mp_postgres_send_prepare(
    mp_postgres_connection *_Nonnull connection, const char *_Nonnull name, const char *_Nonnull text, int count,
    const uint32_t *_Nullable types);
/// Runs a prepared statement; all values are binary, and so are those of its rows.
bool mp_postgres_send_run(
    mp_postgres_connection *_Nonnull connection, const char *_Nonnull name, int count,
    const char *_Nullable const *_Nullable values, const int *_Nullable lengths, const int *_Nullable formats);
/// Runs one statement without values.
bool mp_postgres_send_text(mp_postgres_connection *_Nonnull connection, const char *_Nonnull text);
bool mp_postgres_send_sync(mp_postgres_connection *_Nonnull connection);

/// The next result, to be given to mp_postgres_clear(); NULL after those of each statement.
mp_postgres_result *_Nullable mp_postgres_next(mp_postgres_connection *_Nonnull connection);
mp_postgres_outcome mp_postgres_outcome_of(const mp_postgres_result *_Nonnull result);
/// The five characters of SQLSTATE; empty where there is none.
const char *_Nonnull mp_postgres_state(const mp_postgres_result *_Nonnull result);
const char *_Nonnull mp_postgres_message(const mp_postgres_result *_Nonnull result);
/// The words by which a statement says what it did: `INSERT 0 1`.
const char *_Nonnull mp_postgres_tag(const mp_postgres_result *_Nonnull result);
void mp_postgres_clear(mp_postgres_result *_Nonnull result);

int mp_postgres_row_count(const mp_postgres_result *_Nonnull result);
int mp_postgres_column_count(const mp_postgres_result *_Nonnull result);
const char *_Nullable mp_postgres_column_name(const mp_postgres_result *_Nonnull result, int column);
uint32_t mp_postgres_type(const mp_postgres_result *_Nonnull result, int column);
bool mp_postgres_is_null(const mp_postgres_result *_Nonnull result, int row, int column);
const char *_Nullable mp_postgres_value(const mp_postgres_result *_Nonnull result, int row, int column);
int mp_postgres_length(const mp_postgres_result *_Nonnull result, int row, int column);
