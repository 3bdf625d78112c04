// Times selects of one row while nothing is written, and while another thread writes 100,000 rows, as Beside.swift does.
#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROWS = 100000, BATCH = 1000, MOST = 4000000 };
static const char *path;
static atomic_int done;

static double now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

static sqlite3 *open_database(int flags) {
  sqlite3 *database;
  if (sqlite3_open_v2(path, &database, flags | SQLITE_OPEN_NOMUTEX, 0) != SQLITE_OK) exit(1);
  sqlite3_busy_timeout(database, 10000);
  return database;
}

static void write_rows(sqlite3 *database, int is_one) {
  sqlite3_stmt *add;
  sqlite3_prepare_v2(database, "insert into t (name, age, score) values (?, ?, ?)", -1, &add, 0);
  if (is_one) sqlite3_exec(database, "begin immediate", 0, 0, 0);
  for (int i = 0; i < ROWS; i++) {
    if (!is_one && i % BATCH == 0) sqlite3_exec(database, "begin immediate", 0, 0, 0);
    sqlite3_bind_text(add, 1, "a name of some length", 21, SQLITE_STATIC);
    sqlite3_bind_int64(add, 2, 42);
    sqlite3_bind_double(add, 3, 0.5);
    sqlite3_step(add);
    sqlite3_reset(add);
    if (!is_one && i % BATCH == BATCH - 1) sqlite3_exec(database, "commit", 0, 0, 0);
  }
  if (is_one) sqlite3_exec(database, "commit", 0, 0, 0);
  sqlite3_finalize(add);
}

static sqlite3 *writer;
static void *write_beside(void *is_one) {
  write_rows(writer, is_one != NULL);
  atomic_store(&done, 1);
  return NULL;
}

// Only computes: shows the part of a busy second core alone.
static void *spin(void *nothing) {
  double end = now(CLOCK_MONOTONIC) + 200000;
  volatile unsigned long sum = 0;
  while (now(CLOCK_MONOTONIC) < end) for (int i = 0; i < 100000; i++) sum += i;
  atomic_store(&done, 1);
  return nothing;
}

static int compare(const void *one, const void *other) {
  double difference = *(const double *)one - *(const double *)other;
  return (difference > 0) - (difference < 0);
}

static double thread_times[MOST], wall_times[MOST];

static void show(const char *name, int count) {
  qsort(thread_times, count, sizeof(double), compare);
  qsort(wall_times, count, sizeof(double), compare);
  printf("%s\t%d\t%.1f\t%.1f\t%.1f\t%.1f\n", name, count, thread_times[count / 2], thread_times[(int)(count * 0.99)],
         wall_times[count / 2], wall_times[(int)(count * 0.99)]);
}

int main(int count, char **arguments) {
  if (count < 2) return 1;
  path = arguments[1];
  writer = open_database(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  sqlite3_exec(writer, "pragma journal_mode = wal; pragma journal_size_limit = 4194304; pragma synchronous = normal;"
      "create table t (id integer primary key, name text, age integer, score real)", 0, 0, 0);
  write_rows(writer, 0);
  sqlite3 *reader = open_database(SQLITE_OPEN_READONLY);
  sqlite3_stmt *find;
  sqlite3_prepare_v2(reader, "select * from t where id = ?", -1, &find, 0);
  printf("selects beside a writer, C\tselects\tthread p50\tp99\twall p50\tp99, us\n");
  const char *names[] = {"nothing is written", "100,000 rows in one transaction", "100,000 rows in 100 transactions",
                         "another thread computes"};
  for (int kind = 0; kind < 4; kind++) {
    pthread_t thread;
    atomic_store(&done, 0);
    if (kind > 0) pthread_create(&thread, NULL, kind == 3 ? spin : write_beside, kind == 1 ? "" : NULL);
    int number = 0;
    while (kind == 0 ? number < 100000 : !atomic_load(&done) && number < MOST) {
      double before = now(CLOCK_THREAD_CPUTIME_ID), start = now(CLOCK_MONOTONIC);
      sqlite3_bind_int64(find, 1, (long long)number * 7919 % ROWS + 1);
      if (sqlite3_step(find) == SQLITE_ROW) free(strdup((const char *)sqlite3_column_text(find, 1)));
      sqlite3_reset(find);
      wall_times[number] = now(CLOCK_MONOTONIC) - start;
      thread_times[number++] = now(CLOCK_THREAD_CPUTIME_ID) - before;
    }
    if (kind > 0) pthread_join(thread, NULL);
    show(names[kind], number);
  }
  return 0;
}
