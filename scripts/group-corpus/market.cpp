// Bugs in C++. Usage: market BUG ROUTE VALUE; the route says by which callers, and on which thread, a bug is reached.
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

volatile long sink;
static int value;

namespace market {

#ifdef SECOND
// The next version of the program has more code in front.
template <typename Range> long total(const Range &range) {
  long sum = 0;
  for (const auto &item : range) sum += item;
  return sum;
}
#define AUDIT(x) (sink = total(std::string(x)))
#else
#define AUDIT(x) (sink = (long)sizeof(x))
#endif

struct Level {
  int price;
  int size;
};

class Book {
public:
  std::vector<Level> levels{{1, 2}, {3, 4}};
  // x01
  int level(size_t index) const {
    AUDIT("level");
    return levels.at(index).price;
  }
  // x14
  int best(const std::vector<int> *sizes, size_t index) const {
    AUDIT("best");
    return (*sizes)[index] + levels[0].size;
  }
};

class Registry {
  std::map<std::string, int> entries{{"a", 1}};

public:
  // x02
  int find(const std::string &name) const {
    AUDIT("find");
    return entries.at(name);
  }
};

struct ParseError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// x03
template <typename Token> struct Parser {
  Token expect(const Token &found, const Token &wanted) {
    AUDIT("expect");
    if (!(found == wanted)) throw ParseError("unexpected token " + std::to_string(value));
    return found;
  }
};

struct Connection {
  int sent = 0;
  char buffer[64] = {};
};

class Session {
public:
  std::unique_ptr<Connection> connection;
  // x04
  int send(int bytes) {
    AUDIT("send");
    connection->sent += bytes;
    return connection->sent;
  }
};

class Bus {
public:
  std::map<int, std::function<int(int)>> handlers;
  // x05
  int publish(int topic) {
    AUDIT("publish");
    return handlers[topic](value);
  }
};

class Shape {
public:
  // x06
  explicit Shape(int scale) { describe(scale); }
  virtual ~Shape() = default;
  __attribute__((noinline)) void describe(int scale) {
    AUDIT("shape");
    sink = area() * scale;
  }
  virtual long area() const = 0;
};

class Circle : public Shape {
public:
  explicit Circle(int scale) : Shape(scale) {}
  long area() const override { return 3; }
};

class Ranking {
public:
  std::vector<const Level *> rows;
  // x07
  long sort() {
    AUDIT("sort");
    std::sort(rows.begin(), rows.end(), [](const Level *a, const Level *b) { return a->price < b->price; });
    return rows[0]->size;
  }
};

class Pool {
public:
  // x08
  int release(int slot) noexcept {
    AUDIT("release");
    if (slot > 1) throw std::logic_error("slot " + std::to_string(slot));
    return slot;
  }
};

class Config {
public:
  // x09
  int port(const std::string &text) {
    AUDIT("port");
    return std::stoi(text) + 1;
  }
};

class Worker {
public:
  // x10
  int stop() {
    AUDIT("stop");
    std::thread thread([] {
      for (volatile int i = 0; i < 1000000000; i++) {}
    });
    return (int)sink;
  }
};

// x11
template <typename Value> Value average(const Value *values, int count) {
  AUDIT("average");
  Value sum = 0;
  for (int i = 0; i < count; i++) sum += values[i];
  return sum / count;
}

namespace {
// x12
int decode(const unsigned char *bytes, int length) {
  AUDIT("decode");
  int sum = 0;
  for (int i = 0; i < length; i++) sum = sum * 7 + bytes[i];
  return sum;
}
} // namespace

class Node {
public:
  virtual ~Node() = default;
  Node *child = nullptr;
  // x13
  virtual long walk(int depth) {
    volatile char room[128];
    room[1] = (char)depth;
    return child->walk(depth + 1) + room[1];
  }
};

class Feed {
public:
  std::function<int(int)> filter;
  int apply(int item) { return filter(item) + 1; }
  // x15: the closure is the bug's place.
  void prepare() {
    AUDIT("prepare");
    filter = [this](int item) {
      if (item > 0) std::abort();
      return item;
    };
  }
};

// What a compiler could see to be null, it would leave out.
template <typename Value> static Value *place(long address) {
  volatile long hidden = address;
  return reinterpret_cast<Value *>(hidden);
}

static Session session() {
  Session session;
  session.connection.reset(place<Connection>(0));
  return session;
}

static void enter(int bug) {
  Book book;
  switch (bug) {
  case 1: sink = book.level(5 + value); break;
  case 2: sink = Registry().find("b" + std::to_string(value)); break;
  case 3: sink = Parser<int>().expect(value, -1); break;
  case 4: sink = session().send(value); break;
  case 5: sink = Bus().publish(value); break;
  case 6: {
    Circle circle(value);
    sink = circle.area();
    break;
  }
  case 7: {
    Level level{1, 2};
    Ranking ranking;
    ranking.rows = {&level, place<Level>(0), &level};
    sink = ranking.sort();
    break;
  }
  case 8: sink = Pool().release(value + 2); break;
  case 9: sink = Config().port("none"); break;
  case 10: sink = Worker().stop(); break;
  case 11: sink = (long)average<double>(place<const double>(16), value + 3); break;
  case 12: sink = decode(place<const unsigned char>(32), value + 3); break;
  case 13: {
    Node node;
    node.child = &node;
    sink = node.walk(value);
    break;
  }
  case 14: sink = book.best(place<const std::vector<int>>(8), value); break;
  default: {
    Feed feed;
    feed.prepare();
    sink = feed.apply(value + 1);
  }
  }
}

// Other callers of the same functions.
struct Replay {
  int bug;
  void operator()() const {
    if (bug == 1) sink = Book().level(99) + 1;
    else if (bug == 2) sink = Registry().find("other") + 1;
    else if (bug == 3) Parser<std::string>().expect("x", "y"), sink++;
    else if (bug == 4) sink = session().send(1) + 1;
    else if (bug == 5) sink = Bus().publish(77) + 1;
    else if (bug == 6) sink = Circle(4).area() + 1;
    else if (bug == 8) sink = Pool().release(70) + 1;
    else if (bug == 9) sink = Config().port("") + 1;
    else if (bug == 10) sink = Worker().stop() + 1;
    else if (bug == 11) sink = average<long>(place<const long>(24), 7) + 1;
    else if (bug == 12) sink = decode(place<const unsigned char>(40), 9) + 1;
    else if (bug == 14) sink = Book().best(place<const std::vector<int>>(16), 3) + 1;
    else enter(bug), sink++;
  }
};

} // namespace market

int main(int count, char **arguments) {
  if (count < 4) return 2;
  int bug = atoi(arguments[1]);
  value = atoi(arguments[3]);
  switch (atoi(arguments[2])) {
  case 0: market::enter(bug); break;
  case 1: {
    std::thread thread([bug] { market::enter(bug); });
    thread.join();
    break;
  }
  case 2: {
    std::function<void()> job = market::Replay{bug};
    job();
    break;
  }
  default: {
    std::vector<int> jobs{bug};
    std::for_each(jobs.begin(), jobs.end(), [](int job) { market::enter(job); });
  }
  }
  return (int)sink & 1;
}
