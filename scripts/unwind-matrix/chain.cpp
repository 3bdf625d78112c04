// The same for C++: exceptions, virtual calls, destructors, templates, threads.
#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#define KEEP __attribute__((noinline))

static volatile int sink;

KEEP int um_fault(int depth) {
  volatile int *nothing = reinterpret_cast<int *>(0x10);
  sink = sink + *nothing;
  return depth + sink;
}

struct um_base {
  virtual ~um_base() {}
  virtual int um_act(int depth) = 0;
};

struct um_fails : um_base {
  KEEP int um_act(int depth) override { return um_fault(depth) + 1; }
};

struct um_cleaner {
  int depth;
  KEEP ~um_cleaner() { sink = sink + um_fault(depth); }
};

KEEP int um_virtual(int depth) {
  std::unique_ptr<um_base> one(new um_fails);
  return one->um_act(depth) + 1;
}

KEEP int um_destructor(int depth) {
  um_cleaner cleaner{depth};
  sink = sink + depth;
  return sink;
}

KEEP int um_throw(int depth) {
  if (depth > -1) throw std::runtime_error("no " + std::to_string(depth));
  return depth;
}

KEEP int um_noexcept(int depth) noexcept { return um_throw(depth) + 1; }

template <typename Element> KEEP bool um_less(const Element &left, const Element &right) {
  sink = sink + um_fault(static_cast<int>(left));
  return left < right;
}

KEEP int um_sort(int depth) {
  std::vector<long> numbers{3, 1, 2, depth};
  std::sort(numbers.begin(), numbers.end(), um_less<long>);
  return static_cast<int>(numbers[0]) + sink;
}

KEEP int um_function(int depth) {
  std::function<int(int)> act = [](int value) KEEP { return um_fault(value) + 3; };
  sink = sink + 1;
  return act(depth) + 1;
}

KEEP void um_work(int depth) {
  sink = um_fault(depth) + 1;
}

KEEP int um_thread(int depth) {
  std::thread other(um_work, depth);
  other.join();
  return sink + 1;
}

KEEP int um_leaf(const std::string &kind, int depth) {
  if (kind == "virtual") return um_virtual(depth) + 1;
  if (kind == "destructor") return um_destructor(depth) + 1;
  if (kind == "throw") return um_throw(depth) + 1;
  if (kind == "noexcept") return um_noexcept(depth) + 1;
  if (kind == "sort") return um_sort(depth) + 1;
  if (kind == "function") return um_function(depth) + 1;
  if (kind == "thread") return um_thread(depth) + 1;
  return 0;
}

KEEP int um_deep(const std::string &kind, int depth) {
  if (depth > 0) return um_deep(kind, depth - 1) + 1;
  return um_leaf(kind, depth) + 1;
}

int main(int count, char **arguments) {
  sink = um_deep(count > 1 ? arguments[1] : "virtual", 4) + 1;
  return sink;
}
