// The same statements by C on SQLite, prepared once and bound without copies: operations in a second of processor time.
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) { return (double)clock() / CLOCKS_PER_SEC; }

static void report(const char *name, double count, double start) {
  printf("%s\t%.0f\n", name, count / (now() - start));
}

static void insert(sqlite3_stmt *statement) {
  sqlite3_bind_text(statement, 1, "a name of some length", 21, SQLITE_STATIC);
  sqlite3_bind_int64(statement, 2, 42);
  sqlite3_bind_double(statement, 3, 0.5);
  sqlite3_step(statement);
  sqlite3_reset(statement);
}

typedef struct {
  sqlite3_int64 id, age;
  char *name;
  double score;
} person;

static void take(sqlite3_stmt *statement, person *row) {
  row->id = sqlite3_column_int64(statement, 0);
  row->name = strdup((const char *)sqlite3_column_text(statement, 1));
  row->age = sqlite3_column_int64(statement, 2);
  row->score = sqlite3_column_double(statement, 3);
}

int main(int count, char **arguments) {
  sqlite3 *db;
  sqlite3_stmt *add, *find, *all;
  const int rows = 200000;
  if (count < 2 || sqlite3_open_v2(arguments[1], &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, 0))
    return 1;
  sqlite3_exec(db, "pragma journal_mode = wal; pragma synchronous = normal;"
      "create table t (id integer primary key, name text, age integer, score real)", 0, 0, 0);
  sqlite3_prepare_v2(db, "insert into t (name, age, score) values (?, ?, ?)", -1, &add, 0);
  sqlite3_prepare_v2(db, "select * from t where id = ?", -1, &find, 0);
  sqlite3_prepare_v2(db, "select * from t", -1, &all, 0);
  double start = now();
  sqlite3_exec(db, "begin", 0, 0, 0);
  for (int i = 0; i < rows; i++) insert(add);
  sqlite3_exec(db, "commit", 0, 0, 0);
  report("insert, in one transaction", rows, start);
  person one;
  start = now();
  for (int i = 0; i < rows; i++) {
    sqlite3_bind_int64(find, 1, i + 1);
    if (sqlite3_step(find) == SQLITE_ROW) {
      take(find, &one);
      free(one.name);
    }
    sqlite3_reset(find);
  }
  report("select of one row by its key", rows, start);
  start = now();
  for (int i = 0; i < rows / 4; i++) insert(add);
  report("insert, a transaction each", rows / 4, start);
  person *people = malloc(sizeof(person) * 300000);
  int found = 0;
  start = now();
  for (int round = 0; round < 3; round++) {
    int place = 0;
    while (sqlite3_step(all) == SQLITE_ROW && place < 300000) take(all, &people[place++]);
    sqlite3_reset(all);
    found += place;
    for (int i = 0; i < place; i++) free(people[i].name);
  }
  report("scan of all rows, with a copy of each text, rows", found, start);
  return 0;
}
