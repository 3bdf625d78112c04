// mmkv-bench FOLDER KEYS: a row of the table of scripts/bench/storage for MMKV, plain and encrypted.
#include <sys/resource.h>

#include <cstdio>
#include <string>
#include <vector>

#include "MMKV.h"

static double processorTime() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

template <typename Body>
static std::string rate(size_t count, Body body) {
  double start = processorTime();
  body();
  double used = processorTime() - start;
  return std::to_string(long(count / (used > 1e-6 ? used : 1e-6) / 1000)) + "k/s";
}

static void measure(const char *name, const std::string &id, std::string *key, const std::vector<std::string> &keys) {
  auto store = MMKV::mmkvWithID(id, MMKV_SINGLE_PROCESS, key);
  auto fresh = rate(keys.size(), [&] { for (auto &k : keys) store->set("value of " + k, k); });
  auto again = rate(keys.size(), [&] { int32_t n = 0; for (auto &k : keys) store->set(n++, k); });
  auto one = rate(keys.size(), [&] { for (size_t n = 0; n < keys.size(); n++) store->set(int32_t(n), "one"); });
  long sum = 0;
  auto get = rate(keys.size(), [&] { for (auto &k : keys) sum += store->getInt32(k); });
  store->trim();
  store->close();
  double start = processorTime();
  MMKV::mmkvWithID(id, MMKV_SINGLE_PROCESS, key)->count();
  double opened = (processorTime() - start) * 1000;
  std::printf("| %s | %s | %s | %s | %s | %.1f ms |\n", name, fresh.c_str(), again.c_str(), one.c_str(), get.c_str(), opened);
  if (sum == 1) std::puts("");
}

int main(int count, char **words) {
  if (count < 3) return 64;
  MMKV::initializeMMKV(std::string(words[1]), MMKVLogNone);
  std::vector<std::string> keys;
  for (long n = 0; n < std::stol(words[2]); n++) keys.push_back("user.setting." + std::to_string(n));
  measure("MMKV", "plain", nullptr, keys);
  std::string key = "sixteen byte key";
  measure("MMKV, encrypted", "secret", &key, keys);
  MMKV::onExit();
  return 0;
}
