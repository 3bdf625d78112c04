import MPaaSPinyin
private import MPaaSSupport

/// Times the search: `search TEXTS QUERIES [ROUNDS]`, a text a line; a query a line, behind its kind and a tab.
func search(_ arguments: [String]) throws {
  guard arguments.count >= 2 else { return print("usage: PinyinBench search TEXTS QUERIES [ROUNDS]") }
  let texts = try lines(of: arguments[0])
  let queries = try lines(of: arguments[1]).map { line in
    let fields = line.split(separator: "\t", maxSplits: 1)
    return (kind: String(fields[0]), query: PinyinQuery(String(fields[fields.count - 1])))
  }
  let rounds = arguments.count > 2 ? Int(arguments[2]) ?? 3 : 3
  _ = PinyinIndex(["热身"])
  let before = residentBytes()
  var index = PinyinIndex([])
  let build = milliseconds { index = PinyinIndex(texts) }
  let after = residentBytes()
  report("build", [("texts", Double(texts.count)), ("ms", build), ("mb", Double(after - before) / 1e6)])

  for (name, limit, order) in [("all", nil, PinyinSearchOrder.input), ("top50", 50, .rank)] {
    var times: [(kind: String, ms: Double, hits: Int)] = []
    for (kind, query) in queries {
      var best = Double.infinity
      var hits = 0
      for _ in 0..<rounds {
        best = min(best, milliseconds { hits = index.search(query, limit: limit, order: order).total })
      }
      times.append((kind, best, hits))
    }
    report(name, summary(times))
    for kind in Set(times.map(\.kind)).sorted() { report("\(name) \(kind)", summary(times.filter { $0.kind == kind })) }
  }
}

private func lines(of path: String) throws -> [String] {
  let bytes = try Bytes.mapping(path)
  return withExtendedLifetime(bytes) { String(utf8: bytes.buffer).split(separator: "\n").map { String($0) } }
}

/// Milliseconds of processor time, so that other work on the machine does not count.
private func milliseconds(_ body: () -> Void) -> Double { processorTime(body) * 1e3 }

private func summary(_ times: [(kind: String, ms: Double, hits: Int)]) -> [(String, Double)] {
  let sorted = times.map(\.ms).sorted()
  func percentile(_ part: Double) -> Double { sorted[min(Int(Double(sorted.count) * part), sorted.count - 1)] }
  return [
    ("queries", Double(sorted.count)), ("p50_ms", percentile(0.5)), ("p99_ms", percentile(0.99)),
    ("max_ms", sorted.last ?? 0), ("hits", Double(times.reduce(0) { $0 + $1.hits }) / Double(sorted.count)),
  ]
}

private func report(_ name: String, _ values: [(String, Double)]) {
  let parts = values.map { "\"\($0.0)\":\(($0.1 * 1000).rounded() / 1000)" }
  print("{\"what\":\"search \(name)\",\(parts.joined(separator: ","))}")
}

/// The bytes that the process has in memory, as Linux tells it; 0 elsewhere.
private func residentBytes() -> Int {
  guard let status = try? Bytes.reading("/proc/self/statm") else { return 0 }
  let fields = withExtendedLifetime(status) { String(utf8: status.buffer).split(separator: " ") }
  return fields.count > 1 ? (Int(fields[1]) ?? 0) * 4096 : 0
}
