// Times Logan's writer by its public calls; scripts/bench/logs builds it with Logan's sources and runs it.
//   logan FOLDER TEXT COUNT            appends so many records
//   logan FOLDER TEXT --count-in FILE  appends numbered records until it is killed, and says in FILE how many
//   logan FOLDER - --recover           starts as an app does, so that what was mapped goes into the file, and ends
#include "clogan_core.h"
#include "clogan_status.h"
#include "peer.h"

static void require(int status, int wanted, const char *call) {
  if (status == wanted) return;
  fprintf(stderr, "%s: %d\n", call, status);
  exit(70);
}

static void append(const peer_line *line, char *room, size_t size) {
  // Logan has levels as numbers and no tags: the tag goes before the message, as its users do.
  snprintf(room, size, "%s %s", line->tag, line->message);
  require(clogan_write(line->level, room, peer_milliseconds(), "main", 1, 1), CLOGAN_WRITE_SUCCESS, "clogan_write");
}

int main(int count, char **arguments) {
  if (count < 4) return 64;
  const char *folder = arguments[1];
  require(clogan_init(folder, folder, 2000000000, "0123456789abcdef", "fedcba9876543210"), CLOGAN_INIT_SUCCESS_MMAP,
          "clogan_init");
  require(clogan_open("bench"), CLOGAN_OPEN_SUCCESS, "clogan_open");
  if (strcmp(arguments[3], "--recover") == 0) return 0;
  peer_text text = peer_read(arguments[2]);
  static char room[1 << 16];
  if (strcmp(arguments[3], "--count-in") == 0) {
    volatile uint64_t *done = peer_counter(arguments[4]);
    for (uint64_t number = *done;; *done = ++number) {
      peer_line line = text.lines[number % text.count];
      static char message[1 << 15];
      snprintf(message, sizeof message, "#%llu# %s", (unsigned long long)number, line.message);
      line.message = message;
      append(&line, room, sizeof room);
    }
  }
  size_t records = strtoull(arguments[3], NULL, 10);
  peer_time before = peer_now();
  for (size_t number = 0; number < records; number++) append(&text.lines[number % text.count], room, sizeof room);
  peer_time appended = peer_now();
  clogan_flush();
  peer_report(records, before, appended, peer_now());
  return 0;
}
