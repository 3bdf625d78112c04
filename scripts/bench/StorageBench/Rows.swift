import MPaaSSQLite
import MPaaSSupport

// Times a database of 200,000 rows of four columns, plain and encrypted.

private let rowCount = 200_000

func measureRows() throws {
  row(["database, \(rowCount) rows", "insert", "scan", "point select", "own transaction", "open"])
  row(["---", "---:", "---:", "---:", "---:", "---:"])
  try measureRows("plain", nil)
  try measureRows("encrypted", DatabaseKey((0..<32).map { _ in UInt8.random(in: 0 ... .max) }))
}

private func measureRows(_ name: String, _ key: DatabaseKey?) throws {
  let path = folder + "/rows.sqlite"
  var database: SQLiteDatabase? = try SQLiteDatabase(path, durability: .normal, key: key)
  try database?.execute("create table t (id integer primary key, name text, score real, kind integer)")
  var cells = [name]
  let insert = "insert into t values (?, ?, ?, ?)"
  func values(_ number: Int) -> [SQLiteValue] {
    [.integer(number), .text("the name of row \(number)"), .real(Double(number) / 7), .integer(number % 10)]
  }
  cells.append(
    try rate(rowCount) {
      try database?.transaction { for number in 0..<rowCount { try database?.run(insert, values(number)) } }
      try database?.execute("pragma wal_checkpoint(truncate)")
    })
  var sum = 0
  cells.append(
    try rate(rowCount * 5) {
      for _ in 0..<5 {
        try database?.forEach("select * from t") { row in
          sum &+= Int(row.integer(0)) &+ row.bytes(1) &+ Int(row.real(2)) &+ Int(row.integer(3))
          return true
        }
      }
    })
  cells.append(
    try rate(rowCount / 2) {
      for number in 0..<rowCount / 2 {
        let place = SQLiteValue.integer(number &* 7919 % rowCount)
        sum &+= Int(try database?.row("select * from t where id = ?", [place], { $0.integer(3) }) ?? 0)
      }
    })
  cells.append(
    try rate(10_000) { for number in 0..<10_000 { try database?.run(insert, values(rowCount + number)) } })
  database = nil
  let opens = 50
  let start = processorTime()
  for _ in 0..<opens {
    let opened = try SQLiteDatabase(path, durability: .normal, key: key)
    sum &+= Int(try opened.row("select count(*) from sqlite_master") { $0.integer(0) } ?? 0)
  }
  cells.append("\(Int((processorTime() - start) / Double(opens) * 1e6)) µs")
  row(cells)
  for end in ["", "-wal", "-shm"] { try FileSystem.remove(path + end) }
}
