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
let dao = try DAO(bytes: Array(document.utf8), databasePath: path)
let row: DAOValue = ["name": "a name of some length", "age": 42, "score": 0.5]
try dao.daoTransaction(.begin)
try measure("insert, one call a row, in one transaction", count) { _ in try dao.update("add", [row]) }
try dao.daoTransaction(.commit)
let rows = DAOValue.list([DAOValue](repeating: row, count: 1000))
try measure("insert, calls of 1,000 rows each", count / 1000) { _ in try dao.update("addAll", [rows]) }
try measure("select of one row by its key", count) { index in _ = try dao.select("find", [.integer(index + 1)]) }
try measure("select with conditions", count) { index in _ = try dao.select("some", [.integer(index + 1), nil]) }
try measure("insert, a transaction a call", count / 4) { _ in try dao.update("add", [row]) }
try measure("scan of all rows", 1) { _ in _ = try dao.select("all") }
