/// SQLite, with what its macros hide from Swift.
#ifndef MPAAS_SQLITE_H
#define MPAAS_SQLITE_H

#include "CSQLitePages.h"

#include <sqlite3.h>

/// Binds bytes that SQLite copies.
static inline int mp_sqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, long long size) {
  return sqlite3_bind_blob64(statement, index, size == 0 ? "" : bytes, (sqlite3_uint64)size, SQLITE_TRANSIENT);
}

/// Binds UTF-8 that SQLite copies.
static inline int mp_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *bytes, long long size) {
  return sqlite3_bind_text64(
      statement, index, size == 0 ? "" : bytes, (sqlite3_uint64)size, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// Binds UTF-8 that stays where it is until the statement is bound anew, or is gone.
static inline int mp_sqlite_bind_kept_text(sqlite3_stmt *statement, int index, const char *bytes, long long size) {
  return sqlite3_bind_text64(statement, index, bytes, (sqlite3_uint64)size, SQLITE_STATIC, SQLITE_UTF8);
}

/// Takes names in double quotes for names alone, in statements of both kinds.
static inline void mp_sqlite_refuse_quoted_texts(sqlite3 *database) {
  sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
  sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DDL, 0, (int *)0);
}

#endif
