// Bugs in C++ that the rules were not made for. Usage: atlas BUG ROUTE VALUE.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <iterator>
#include <list>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

volatile long spent;
static int seed;

#ifdef SECOND
template <typename... Parts> static void trace(const Parts &...parts) { spent += (0 + ... + (long)sizeof(parts)); }
#else
#define trace(...) (spent = spent + 1)
#endif

struct Point {
  double x = 0, y = 0;
  Point *nearest = nullptr;
};

class Tile {
  std::vector<std::unique_ptr<Point>> points;

public:
  // y01
  double distance(size_t from, size_t to) {
    trace(from, to);
    const Point &a = *points.at(from), &b = *points.at(to);
    return a.x * b.x + a.y * b.y;
  }
  // y02
  std::string title(const std::string &text, size_t from) {
    trace(text);
    std::string part = text.substr(from, 4);
    return part + "!";
  }
};

template <typename Key, typename Value> class Cache {
  std::unordered_map<Key, Value> values;

public:
  // y03
  const Value &fetch(const Key &key) const {
    trace(key);
    const Value &value = values.at(key);
    spent = spent + 1;
    return value;
  }
};

class Layer {
public:
  virtual ~Layer() { spent = spent + 1; }
  virtual double opacity() const = 0;
};

class Water : public Layer {
  const Point *center;

public:
  explicit Water(const Point *center) : center(center) {}
  // y04
  double opacity() const override {
    trace(center);
    double sum = center->nearest->x + center->y;
    return sum / 2;
  }
};

class Roads : public Layer {
  std::list<int> widths;

public:
  // y05
  double opacity() const override {
    trace(widths);
    double sum = std::accumulate(widths.begin(), widths.end(), 0.0, [](double sum, int width) {
      return sum + width;
    });
    if (widths.empty()) throw std::underflow_error("no roads " + std::to_string(seed));
    return sum / widths.size();
  }
};

// y06
static long visit(std::set<int> &seen, int at) {
  trace(at);
  std::array<int, 3> sides{at, at + 1, at + 2};
  for (int side : sides)
    if (side > 5 + seed) std::terminate();
    else if (seen.insert(side).second) spent = spent + visit(seen, side);
  return (long)seen.size();
}

static double compose(const std::vector<std::shared_ptr<Layer>> &layers) {
  double all = 1;
  for (const auto &layer : layers) all *= layer->opacity();
  return all;
}

static double draw(int bug, bool again) {
  static Point lone;
  std::set<int> seen;
  Tile tile;
  switch (bug) {
  case 1: return tile.distance(again ? 3 : seed, again ? 4 : 1);
  case 2: return tile.title(again ? "short" : "", again ? 9 : 1 + seed).size();
  case 3: return again ? Cache<std::string, int>().fetch("none") : Cache<int, double>().fetch(seed);
  case 4: return again ? Water(&lone).opacity() : compose({std::make_shared<Water>(&lone)});
  case 5: return again ? Roads().opacity() : compose({std::make_shared<Roads>()});
  default: return visit(seen, again ? 4 : 1);
  }
}

int main(int count, char **arguments) {
  if (count < 4) return 2;
  int bug = atoi(arguments[1]), route = atoi(arguments[2]);
  seed = atoi(arguments[3]);
  double result = 0;
  if (route == 0) result = draw(bug, false);
  else if (route == 1) {
    std::thread thread([&] { result = draw(bug, false); });
    thread.join();
  } else if (route == 2) result = draw(bug, true);
  else {
    std::deque<std::function<double(bool)>> tasks{[bug](bool again) { return draw(bug, again); }};
    result = tasks.front()(true);
  }
  std::printf("%g\n", result);
  return spent == 77;
}
