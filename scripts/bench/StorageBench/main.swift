import MPaaSSQLite
import MPaaSStorage
import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// storage-bench FOLDER [KEYS]: a Markdown table of the processor time that key-value stores take.

/// User and system time of this process so far, in seconds.
func processorTime() -> Double {
  var usage = rusage()
  getrusage(0, &usage)
  let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
  return Double(seconds) + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
}

/// Runs `body` and gives its operations in a second of processor time, in thousands.
func rate(_ count: Int, _ body: () throws -> Void) rethrows -> String {
  let start = processorTime()
  try body()
  return "\(Int(Double(count) / max(processorTime() - start, 1e-6) / 1000))k/s"
}

/// Runs `body` and gives its processor time.
func milliseconds(_ body: () throws -> Void) rethrows -> String {
  let start = processorTime()
  try body()
  return "\(Int(((processorTime() - start) * 10_000).rounded()) / 10) ms"
}

func row(_ cells: [String]) { print("| " + cells.joined(separator: " | ") + " |") }

let folder = CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : "."
let count = CommandLine.arguments.count > 2 ? Int(CommandLine.arguments[2]) ?? 100_000 : 100_000
let keys = (0..<count).map { "user.setting.\($0)" }

func measure(_ name: String, _ options: KeyValueOptions) throws {
  let path = folder + "/bench.mpkv"
  try FileSystem.remove(path)
  var store: KeyValueStore? = try KeyValueStore(path: path, options: options)
  var cells = [name]
  cells.append(try rate(count) { for key in keys { try store?.set("value of \(key)", forKey: key, business: "b") } })
  cells.append(
    try rate(count) { for (number, key) in keys.enumerated() { try store?.set(number, forKey: key, business: "b") } })
  cells.append(try rate(count) { for number in 0..<count { try store?.set(number, forKey: "one", business: "b") } })
  var sum = 0
  cells.append(
    try rate(count) { for key in keys { sum &+= try store?.integer(forKey: key, business: "b") ?? 0 } })
  try store?.compact()
  store = nil
  cells.append(try milliseconds { store = try KeyValueStore(path: path, options: options) })
  row(cells)
  store = nil
  try FileSystem.remove(path)
}

func measureSQLite() throws {
  let path = folder + "/bench.sqlite"
  try FileSystem.remove(path)
  let database = try SQLiteDatabase(path)
  try database.execute("create table kv (key text primary key, value) without rowid")
  let upsert = "insert into kv values (?, ?) on conflict do update set value = excluded.value"
  var cells = ["SQLite, a statement each"]
  cells.append(
    try rate(count) { for key in keys { try database.run(upsert, [.text(key), .text("value of \(key)")]) } })
  cells.append(
    try rate(count) {
      for (number, key) in keys.enumerated() { try database.run(upsert, [.text(key), .integer(Int64(number))]) }
    })
  cells.append(
    try rate(count) {
      for number in 0..<count { try database.run(upsert, [.text("one"), .integer(Int64(number))]) }
    })
  cells.append(
    try rate(count) {
      for key in keys { _ = try database.rows("select value from kv where key = ?", [.text(key)]) { $0.integer(0) } }
    })
  cells.append("–")
  row(cells)
  for end in ["", "-wal", "-shm"] { try FileSystem.remove(path + end) }
}

row(["store, \(count) keys", "new key", "overwrite", "overwrite one key", "get", "open again"])
row(["---", "---:", "---:", "---:", "---:", "---:"])
let key = StorageKey()
try measure("exclusive", KeyValueOptions(sharing: .exclusive))
try measure("shared by processes", KeyValueOptions())
try measure("exclusive, encrypted", KeyValueOptions(key: key, sharing: .exclusive))
try measure("shared, encrypted", KeyValueOptions(key: key))
try measureSQLite()
print("")
measureCaches()
print("")
try measureRows()
