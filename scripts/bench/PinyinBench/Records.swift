import MPaaSPinyin
import MPaaSSupport

/// Times what `mpaas pinyin search` does, step by step: `records FILE QUERY [ROUNDS]`, the best of some rounds.
func records(_ arguments: [String]) throws {
  guard arguments.count >= 2 else { return print("usage: PinyinBench records FILE QUERY [ROUNDS]") }
  let path = arguments[0]
  var best: [String: Double] = [:]
  func time<Value>(_ name: String, _ body: () throws -> Value) rethrows -> Value {
    let start = ContinuousClock.now
    let value = try body()
    let time = (ContinuousClock.now - start).components
    best[name] = min(best[name] ?? .infinity, Double(time.seconds) * 1e3 + Double(time.attoseconds) / 1e15)
    return value
  }
  var total = 0
  for _ in 0..<(arguments.count > 2 ? Int(arguments[2]) ?? 5 : 5) {
    let records = try time("read") {
      try SearchRecords(
        Bytes.mapping(path), options: RecordOptions(format: RecordFormat(suffixOf: path)), file: path)
    }
    let index = time("index") { RecordIndex(records) }
    total = time("search") { index.search(PinyinQuery(arguments[1]), limit: 50).total }
  }
  let steps = ["read", "index", "search"].map { "\"\($0)_ms\":\(((best[$0] ?? 0) * 1000).rounded() / 1000)" }
  let name = path.split(separator: "/").last ?? ""
  print("{\"what\":\"records \(name)\",\(steps.joined(separator: ",")),\"hits\":\(total)}")
}
