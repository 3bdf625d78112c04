#define _GNU_SOURCE
#include "order_book.h"

#include <pthread.h>

int64_t ob_round(int64_t price, int64_t tick, ob_side side) {
  int64_t rest = price % tick;
  if (rest == 0) return price;
  return side == OB_BUY ? price - rest : price + tick - rest;
}

int64_t ob_distance(int64_t best, int64_t price, int64_t tick, ob_side resting) {
  return resting == OB_SELL ? (price - best) / tick : (best - price) / tick;
}

int64_t ob_sweep(size_t levels, int64_t best, int64_t limit, int64_t tick, ob_side resting, int64_t quantity,
                 ob_take take, void *context) {
  int64_t reach = ob_distance(best, limit, tick, resting);
  for (size_t level = 0; level < levels && (int64_t)level <= reach && quantity > 0; level++) {
    quantity -= take(context, level, quantity);
  }
  return quantity;
}

void ob_name_thread(const char *name) {
#ifdef __APPLE__
  pthread_setname_np(name);
#else
  pthread_setname_np(pthread_self(), name);
#endif
}
