// Bugs in C. Usage: ledger BUG ROUTE VALUE; the route says by which callers, and on which thread, the bug is reached.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct account {
  const char *name;
  long cents;
  struct account *next;
};

volatile long sink;
static int value;

#ifdef SECOND
// The next version of the program has more code in front.
static long checksum(const char *text) {
  long sum = 0;
  while (*text) sum = sum * 31 + *text++;
  return sum;
}

static long tax(long cents) {
  return cents / 100 * 19;
}
#define AUDIT(x) (sink = checksum(x) + tax(sink))
#else
#define AUDIT(x) (sink = (long)strlen(x))
#endif

__attribute__((noreturn)) void die(const char *what, int code) {
  fprintf(stderr, "ledger: %s (%d)\n", what, code);
  abort();
}

static struct account *find(int id) {
  static struct account first = {"cash", 100, 0};
  return id < 0 ? &first : 0;
}

// c01
long account_balance(const struct account *account) {
  AUDIT("balance");
  return account->cents + sink;
}

// c02
int mean_price(int total, int count) {
  AUDIT("mean");
  return total / count;
}

// c03
void ledger_close(char *page) {
  AUDIT("close");
  page[0] = (char)value;
  free(page);
  sink = (long)page;
  free((void *)sink);
  sink++;
}

// c04
int cache_drop(char *entry) {
  AUDIT("drop");
  free(entry);
  sink = (long)entry;
  free((void *)sink);
  return (int)sink;
}

// c05
int order_check_quantity(int quantity) {
  AUDIT("quantity");
  assert(quantity > 0 && "quantity");
  return quantity * 2;
}

// c06
int order_check_price(int price) {
  AUDIT("price");
  assert(price > 0 && "price");
  return price * 3;
}

// c07
int config_load(const char *path) {
  AUDIT(path);
  FILE *file = fopen(path, "r");
  if (!file) die("no configuration", value);
  return fclose(file);
}

// c08
int journal_open(const char *path) {
  AUDIT(path);
  FILE *file = fopen(path, "r");
  if (!file) die("no journal", value);
  sink = fgetc(file);
  return fclose(file);
}

// c09
static int compare_names(const void *left, const void *right) {
  const struct account *a = left, *b = right;
  return strcmp(a->name, b->name);
}

void accounts_sort(struct account *accounts, size_t count) {
  AUDIT("sort");
  qsort(accounts, count, sizeof *accounts, compare_names);
  sink = accounts[0].cents;
}

// c10
int packet_fill(char *packet, const char *from, size_t length) {
  AUDIT("fill");
  memcpy(packet, from, length);
  return packet[value & 3];
}

// c11
long tree_depth(struct account *node) {
  volatile char room[200];
  room[0] = (char)value;
  if (!node) return room[0];
  long below = tree_depth(node->next);
  return below + room[0] + 1;
}

// c12
static long parse_term(const char *text);
static long parse_factor(const char *text);

long parse_expression(const char *text) {
  volatile char room[100];
  room[3] = *text;
  return parse_term(text) + room[3];
}

__attribute__((noinline)) static long parse_term(const char *text) {
  volatile char room[60];
  room[3] = *text;
  return parse_factor(text) * 2 + room[3];
}

__attribute__((noinline)) static long parse_factor(const char *text) {
  volatile char room[80];
  room[3] = *text;
  return *text == ')' ? room[3] : parse_expression(text) - room[3];
}

// c13
int label_copy(const char *text) {
  char label[8];
  AUDIT(text);
  for (volatile int i = 0; i < 64 + value; i++) label[i] = text[i % 4];
  sink = (long)label;
  return label[1];
}

// c14
typedef void (*hook)(int);

void hook_fire(hook volatile *hooks, int which) {
  AUDIT("fire");
  hooks[which](value);
  sink++;
}

// c15
int name_print(const char *name) {
  AUDIT("print");
  return fprintf(stderr, "%s is %d\n", name, value);
}

// c16
int state_next(int state) {
  AUDIT("state");
  switch (state) {
  case 0: return 1;
  case 1: return 2;
  default: abort();
  }
}

// c17
int line_append(char *line, const char *text, size_t length) {
  AUDIT("append");
  __builtin___memcpy_chk(line, text, length, 16);
  return line[0];
}

// c18
int flag_set(char *flags, int which) {
  AUDIT("flag");
  *(volatile char *)(flags + which) = (char)(value + 1);
  return flags[0];
}

static volatile int nothing;

static void enter(int bug) {
  static struct account ring = {"ring", 1, &ring};
  static struct account list[] = {{"b", 1, 0}, {"a", 2, 0}, {0, 3, 0}, {"d", 4, 0}};
  static hook volatile hooks[2];
  static char small[16];
  switch (bug) {
  case 1: sink = account_balance(find(value)); break;
  case 2: sink = mean_price(value, nothing); break;
  case 3: ledger_close(malloc(40)); break;
  case 4: sink = cache_drop(malloc(40)); break;
  case 5: sink = order_check_quantity(-value); break;
  case 6: sink = order_check_price(-value); break;
  case 7: sink = config_load("/nowhere/configuration"); break;
  case 8: sink = journal_open("/nowhere/journal"); break;
  case 9: accounts_sort(list, 4); break;
  case 10: sink = packet_fill((char *)(8L + nothing), "abcdefgh", 4096 + (size_t)value); break;
  case 11: sink = tree_depth(&ring); break;
  case 12: sink = parse_expression("(1"); break;
  case 13: sink = label_copy("text"); break;
  case 14: hook_fire(hooks, value & 1); break;
  case 15: sink = name_print((const char *)(8L + nothing)); break;
  case 16: sink = state_next(value + 2); break;
  case 17: sink = line_append(small, "0123456789abcdef0123456789abcdef", 20 + (size_t)(value & 3)); break;
  default: sink = flag_set((char *)"constant", value & 1); break;
  }
}

// Other callers of the same functions.
static void replay(int bug) {
  struct account *none = find(1);
  struct account loop = {"loop", 2, 0};
  static hook volatile hooks[2];
  char line[16];
  loop.next = &loop;
  if (bug == 1) sink = account_balance(none) + 1;
  else if (bug == 2) sink = mean_price(7, nothing) + 1;
  else if (bug == 3) ledger_close(calloc(1, 64)), sink++;
  else if (bug == 4) sink = cache_drop(calloc(1, 64)) + 1;
  else if (bug == 5) sink = order_check_quantity(nothing) + 1;
  else if (bug == 6) sink = order_check_price(nothing) + 1;
  else if (bug == 7) sink = config_load("/nowhere/other") + 1;
  else if (bug == 8) sink = journal_open("/nowhere/other") + 1;
  else if (bug == 10) sink = packet_fill((char *)(16L + nothing), "abcdefgh", 9000) + 1;
  else if (bug == 11) sink = tree_depth(&loop) + 1;
  else if (bug == 12) sink = parse_expression("1") + 1;
  else if (bug == 13) sink = label_copy("other") + 1;
  else if (bug == 14) hook_fire(hooks, 1), sink++;
  else if (bug == 15) sink = name_print((const char *)(24L + nothing)) + 1;
  else if (bug == 16) sink = state_next(9) + 1;
  else if (bug == 17) sink = line_append(line, "0123456789abcdef0123456789abcdef", 31 + (size_t)nothing) + line[1];
  else if (bug == 18) sink = flag_set((char *)"other", 1) + 1;
  else {
    struct account list[] = {{"x", 1, 0}, {"y", 2, 0}, {"z", 3, 0}, {0, 4, 0}, {"w", 4, 0}};
    accounts_sort(list, 5);
    sink++;
  }
}

static void *worker(void *argument) {
  enter((int)(long)argument);
  sink++;
  return 0;
}

static void nightly(int bug, void (*job)(int)) {
  for (volatile int day = 0; day < 1; day++) job(bug);
  sink++;
}

int main(int count, char **arguments) {
  if (count < 4) return 2;
  int bug = atoi(arguments[1]);
  value = atoi(arguments[3]);
  switch (atoi(arguments[2])) {
  case 0: enter(bug); break;
  case 1: {
    pthread_t thread;
    pthread_create(&thread, 0, worker, (void *)(long)bug);
    pthread_join(thread, 0);
    break;
  }
  case 2: nightly(bug, replay); break;
  default: nightly(bug, enter); break;
  }
  return (int)sink & 1;
}
