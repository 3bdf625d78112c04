/// Arithmetic of a price ladder: levels one tick apart, the best price first.
#ifndef ORDER_BOOK_H
#define ORDER_BOOK_H

#include <stddef.h>
#include <stdint.h>

typedef enum ob_side { OB_BUY, OB_SELL } ob_side;

/// Takes up to `wanted` from a level, and returns how much that was.
typedef int64_t (*ob_take)(void *context, size_t level, int64_t wanted);

/// Rounds a price to a whole number of ticks that is no worse for the owner of the order.
int64_t ob_round(int64_t price, int64_t tick, ob_side side);

/// The number of ticks that a price is behind the best one; below 0 where it is better.
int64_t ob_distance(int64_t best, int64_t price, int64_t tick, ob_side resting);

/// Goes through `levels` levels, best first, as far as an order's `limit` reaches, and fills the order from them.
///
/// Returns the part of `quantity` that is left.
int64_t ob_sweep(size_t levels, int64_t best, int64_t limit, int64_t tick, ob_side resting, int64_t quantity,
                 ob_take take, void *context);

/// Gives the calling thread a name of at most 15 bytes, which debuggers and crash reports show.
void ob_name_thread(const char *name);

#endif
