/// Programs of other languages, optimised, that crash in the middle of something.
extension SampleProgram {
  /// An uncaught C++ exception out of nested functions, on a thread.
  static func cxx(_ flags: [String] = ["-O2", "-g"]) throws -> SampleProgram {
    try build(
      "exception.cpp",
      """
      #include <stdexcept>
      #include <string>
      #include <thread>
      #include <vector>
      struct Book {
        std::vector<int> rows;
        __attribute__((noinline)) int total(int n) { if (n > 3) throw std::out_of_range("no such row"); return rows[n] + total(n + 1); }
      };
      template <typename T> __attribute__((noinline)) int twice(T body) { return body(0) + body(1); }
      int main() {
        Book book{{1, 2, 3, 4}};
        std::thread worker([&] { return twice([&](int n) { return book.total(n); }); });
        worker.join();
      }
      """, flags)
  }

  /// A Swift array index out of range, several calls deep, in a class method that a closure calls.
  static func swift(_ flags: [String] = ["-O", "-g"]) throws -> SampleProgram {
    try build(
      "index.swift",
      """
      final class Ledger {
        var entries = [3, 1, 2]
        @inline(never) func entry(_ index: Int) -> Int { entries[index] }
        @inline(never) func sum(_ indexes: [Int]) -> Int { indexes.map { self.entry($0) * 2 }.reduce(0, +) }
      }
      @inline(never) func audit(_ ledger: Ledger, _ count: Int) -> Int { ledger.sum(Array(0..<count)) + 1 }
      print(audit(Ledger(), CommandLine.arguments.count + 5))
      """, flags)
  }
}
