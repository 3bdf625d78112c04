import MPaaSDAO

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The processor time of this process, in seconds.
func processorTime() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) }

/// Prints the calls in a second of processor time.
func measure(_ name: String, _ count: Int, _ body: (Int) throws -> Void) rethrows {
  let start = processorTime()
  for index in 0..<count { try body(index) }
  print("\(name)\t\(Int(Double(count) / (processorTime() - start)))")
}

/// A row of the table.
struct Person {
  var id: Int64
  var name: String
  var age: Int
  var score: Double
}

/// The calls of the compiled document.
func measureCompiled(_ path: String, _ count: Int) throws {
  let bench = try Bench(databasePath: path)
  let person = Person(id: 0, name: "a name of some length", age: 42, score: 0.5)
  try bench.daoTransaction(.begin)
  try measure("insert, one call a row, in one transaction", count) { _ in try bench.add(person: person) }
  try bench.daoTransaction(.commit)
  let people = [Person](repeating: person, count: 1000)
  try measure("insert, calls of 1,000 rows each, rows", count) { index in
    if index % 1000 == 0 { try bench.addAll(people: people) }
  }
  try measure("select of one row by its key", count) { index in _ = try bench.find(id: Int64(index + 1)) }
  try measure("select with conditions", count) { index in _ = try bench.some(id: Int64(index + 1), name: nil) }
  try measure("insert, a transaction a call", count / 4) { _ in try bench.add(person: person) }
  try measureRows("scan of all rows, rows") { try bench.all().count }
}

/// Prints the rows that three scans give in a second of processor time.
func measureRows(_ name: String, _ scan: () throws -> Int) rethrows {
  let start = processorTime()
  var rows = 0
  for _ in 0..<3 { rows += try scan() }
  print("\(name)\t\(Int(Double(rows) / (processorTime() - start)))")
}

let document = """
  <module name="B" initializer="make" tableName="t">
  <update id="make">create table if not exists ${T} (id integer primary key, name text, age integer, score real)</update>
  <insert id="add" arguments="m">insert into ${T} (name, age, score) values (%{'#{m.*}', name, age, score})</insert>
  <insert id="addAll" arguments="list" foreach="list.m">insert into ${T} (name, age, score) values (%{'#{m.*}', name, age, score})</insert>
  <select id="find" arguments="id" result="{}">select * from ${T} where id = #{id}</select>
  <select id="some" arguments="id, name" result="string">select name from ${T} <where><if true="id != nil">id = #{id}</if>
    <if true="name != nil">and name = #{name}</if></where></select>
  <select id="all" result="[{}]">select * from ${T}</select>
  </module>
  """
let path = CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : ":memory:"
let count = 200_000
print("compiled, calls in a second of processor time")
try measureCompiled(path + ".compiled", count)
try measureBeside(path + ".beside")
print("the interpreter, calls in a second of processor time")
let dao = try DAO(bytes: Array(document.utf8), databasePath: path)
let row: DAOValue = ["name": "a name of some length", "age": 42, "score": 0.5]
try dao.daoTransaction(.begin)
try measure("insert, one call a row, in one transaction", count) { _ in try dao.update("add", [row]) }
try dao.daoTransaction(.commit)
let rows = DAOValue.list([DAOValue](repeating: row, count: 1000))
try measure("insert, calls of 1,000 rows each, rows", count) { index in
  if index % 1000 == 0 { try dao.update("addAll", [rows]) }
}
try measure("select of one row by its key", count) { index in _ = try dao.select("find", [.integer(index + 1)]) }
try measure("select with conditions", count) { index in _ = try dao.select("some", [.integer(index + 1), nil]) }
try measure("insert, a transaction a call", count / 4) { _ in try dao.update("add", [row]) }
try measureRows("scan of all rows, rows") {
  if case .list(let rows) = try dao.select("all") { rows.count } else { 0 }
}
