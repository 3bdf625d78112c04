// What the drivers of other log writers share: the text that LogBench wrote, and the numbers that its table is made of.
#ifndef MPAAS_LOG_PEER_H
#define MPAAS_LOG_PEER_H

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/// A line of the text: `LEVEL<tab>TAG<tab>MESSAGE`, each part ended with a zero byte; the level is a digit, 1 for debug.
typedef struct {
  int level;
  char *tag;
  char *message;
} peer_line;

typedef struct {
  peer_line *lines;
  size_t count;
} peer_text;

static inline double peer_seconds(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static inline long long peer_milliseconds(void) {
  struct timeval time;
  gettimeofday(&time, NULL);
  return (long long)time.tv_sec * 1000 + time.tv_usec / 1000;
}

/// Reads all of the file; ends the program where it cannot be read.
static inline peer_text peer_read(const char *path) {
  peer_text text = {NULL, 0};
  struct stat status;
  int descriptor = open(path, O_RDONLY);
  if (descriptor < 0 || fstat(descriptor, &status) != 0) {
    perror(path);
    exit(66);
  }
  size_t size = (size_t)status.st_size;
  char *bytes = (char *)malloc(size + 1);
  size_t filled = 0;
  while (bytes && filled < size) {
    ssize_t part = read(descriptor, bytes + filled, size - filled);
    if (part <= 0) exit(74);
    filled += (size_t)part;
  }
  close(descriptor);
  size_t room = 0;
  for (size_t index = 0; index < size; index++) room += bytes[index] == '\n';
  text.lines = (peer_line *)calloc(room + 1, sizeof(peer_line));
  if (!text.lines) exit(71);
  for (char *at = bytes; at < bytes + size;) {
    char *end = (char *)memchr(at, '\n', (size_t)(bytes + size - at));
    char *tag = end ? (char *)memchr(at, '\t', (size_t)(end - at)) : NULL;
    char *message = tag ? (char *)memchr(tag + 1, '\t', (size_t)(end - tag - 1)) : NULL;
    if (!message) break;
    *end = *tag = *message = 0;
    peer_line line = {atoi(at), tag + 1, message + 1};
    text.lines[text.count++] = line;
    at = end + 1;
  }
  if (text.count == 0) exit(65);
  return text;
}

/// Time since the start of a run: by the clock, and of the processor by all threads.
typedef struct {
  double wall, processor;
} peer_time;

static inline peer_time peer_now(void) {
  peer_time now = {peer_seconds(CLOCK_MONOTONIC), peer_seconds(CLOCK_PROCESS_CPUTIME_ID)};
  return now;
}

/// The line that scripts/bench/logs reads: records, seconds of appending, seconds in all, processor seconds in all.
static inline void peer_report(size_t records, peer_time before, peer_time appended, peer_time after) {
  printf("%zu %.6f %.6f %.6f\n", records, appended.wall - before.wall, after.wall - before.wall,
         after.processor - before.processor);
}

/// A number that survives the end of this process: how many records the writer's call has returned from.
static inline volatile uint64_t *peer_counter(const char *path) {
  int descriptor = open(path, O_RDWR | O_CREAT, 0600);
  if (descriptor < 0 || ftruncate(descriptor, 8) != 0) exit(74);
  void *bytes = mmap(NULL, 8, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  close(descriptor);
  if (bytes == MAP_FAILED) exit(74);
  return (volatile uint64_t *)bytes;
}

#endif
