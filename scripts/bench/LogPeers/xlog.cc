// Times xlog's writer (Tencent mars) by its public calls; scripts/bench/logs builds it with mars' sources and runs it.
//   xlog FOLDER TEXT COUNT zlib|zstd [KEY]            appends so many records
//   xlog FOLDER TEXT --count-in FILE zlib|zstd [KEY]  appends numbered records until it is killed, and says in FILE how many
//   xlog FOLDER - --recover zlib|zstd [KEY]           starts as an app does, so that what was mapped goes into the file
// A number behind zstd is its level, 6 without it, as in mars. KEY is a point of secp256k1 as 128 digits; without it
// nothing is encrypted.
#include <string>

#include "mars/comm/xlogger/xlogger_category.h"
#include "mars/xlog/xlogger_interface.h"
#include "peer.h"

static uintptr_t begin(const char *folder, const char *form, const char *key) {
  mars::xlog::XLogConfig config;
  config.mode_ = mars::xlog::kAppenderAsync;
  config.logdir_ = folder;
  config.nameprefix_ = "bench";
  config.pub_key_ = key;
  config.compress_mode_ = strncmp(form, "zstd", 4) == 0 ? mars::xlog::kZstd : mars::xlog::kZlib;
  if (strlen(form) > 4) config.compress_level_ = atoi(form + 4);
  auto *writer = mars::xlog::NewXloggerInstance(config, kLevelVerbose);
  if (!writer) exit(70);
  return reinterpret_cast<uintptr_t>(writer);
}

static void append(uintptr_t writer, const peer_line &line) {
  XLoggerInfo info = {};
  info.level = static_cast<TLogLevel>(line.level);
  info.tag = line.tag;
  info.filename = "";
  info.func_name = "";
  gettimeofday(&info.timeval, nullptr);
  info.pid = info.tid = info.maintid = -1;
  mars::xlog::XloggerWrite(writer, &info, line.message);
}

int main(int count, char **arguments) {
  if (count < 5) return 64;
  const std::string mode = arguments[3];
  const bool counts = mode == "--count-in";
  const char *form = arguments[counts ? 5 : 4];
  const char *key = count > (counts ? 6 : 5) ? arguments[counts ? 6 : 5] : "";
  const uintptr_t writer = begin(arguments[1], form, key);
  if (mode != "--recover") {
    peer_text text = peer_read(arguments[2]);
    if (counts) {
      volatile uint64_t *done = peer_counter(arguments[4]);
      for (uint64_t number = *done;; *done = ++number) {
        peer_line line = text.lines[number % text.count];
        std::string message = "#" + std::to_string(number) + "# " + line.message;
        line.message = message.data();
        append(writer, line);
      }
    }
    const size_t records = strtoull(mode.c_str(), nullptr, 10);
    const peer_time before = peer_now();
    for (size_t number = 0; number < records; number++) append(writer, text.lines[number % text.count]);
    const peer_time appended = peer_now();
    mars::xlog::ReleaseXloggerInstance("bench");
    peer_report(records, before, appended, peer_now());
  } else {
    mars::xlog::ReleaseXloggerInstance("bench");
  }
  fflush(stdout);
  // The release waits five seconds in a thread of its own before it frees what is closed.
  _exit(0);
}
