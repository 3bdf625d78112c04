import MPaaSDAO
import MPaaSTestSupport
import Testing

/// Documents of about 20 kB whose parts multiply each other.
@Suite("Hostile DAO documents") struct DAOEffortTests {
  private static func copies(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

  private static func module(_ text: String, _ attributes: String = "") -> String {
    "<module name='m' tableName='t' \(attributes)>\(text)</module>"
  }

  private static func select(_ text: String) -> String { "<select id='q' arguments='y, x'>select 1 \(text)</select>" }

  /// Pieces each of which names the one before twice.
  private static func doubling(_ leaf: String) -> String {
    (1...60).reduce("<sql id='s0'>\(leaf)</sql>") { $0 + "<sql id='s\($1)'>${s\($1 - 1)}${s\($1 - 1)}</sql>" }
  }

  /// Queries each of which names the one before twice.
  private static func queries(_ begin: String, _ end: String) -> String {
    (1...60).map { "\(begin)a\($0)\(end)select x from a\($0 - 1) union all select x from a\($0 - 1)" }
      .joined(separator: begin.isEmpty ? ")," : "</step>")
  }

  static let shapes: [(name: String, document: String)] = [
    (
      "loops in loops",
      module(select(copies("<foreach collection='x' item='i'>", 55) + ",1" + copies("</foreach>", 55)))
    ),
    ("pieces that double nothing", module(doubling("") + select("${s60}"))),
    ("pieces that double references", module(doubling("#{x}") + select("${s16}"))),
    ("references on one line", module(select(copies(",#{x}", 4000)))),
    (
      "the name of a long table",
      "<module name='m' tableName='\(copies("t", 8000))'>\(select(copies(",${T}", 3000)))</module>"
    ),
    ("a shortcut of many stars and names", module(select("%{'\(copies("*", 9000))', \(copies("a,", 4000))b}"))),
    ("parentheses", module(select("<if true='\(copies("(", 10000))x\(copies(")", 10000))'>,1</if>"))),
    ("conditions", module(select((0..<700).map { "<if true='x==\($0)'>,\($0)</if>" }.joined()))),
    (
      "conditions of much SQL",
      module(
        "<sql id='s'>\(copies(",1", 4000))</sql>"
          + select(copies("${s}", 50) + (0..<12).map { "<if true='x==\($0)'>,\($0)</if>" }.joined()))
    ),
    (
      "long paths that may be nil",
      module(
        select(
          (0..<18).map { "<if true='x\(copies(".a", 450))==\($0)'>,1</if><if true='x.b\($0)==nil'>,1</if>" }.joined()))
    ),
    ("methods", module((0..<500).map { "<select id='q\($0)'>select 1</select>" }.joined())),
    (
      "arguments",
      module("<select id='q' arguments='\((0..<3000).map { "a\($0)" }.joined(separator: ","))'>1</select>")
    ),
    (
      "a long name that is wrong in many places",
      module("<\(copies("e", 10000))/><map id='a' result='B'>" + copies("<\(copies("r", 30)) z='1'/>", 300) + "</map>")
    ),
    (
      "common table expressions that double",
      module("<select id='q'>with a0(x) as (select 1), \(queries("", "(x) as ("))) select x from a60</select>")
    ),
    (
      "views that double",
      module(
        "<update id='i'><step>create view a0 as select 1 x</step>" + queries("<step>create view ", " as ")
          + "</step></update><select id='q'>select x from a60</select>", "initializer='i'")
    ),
    (
      "tables that never end",
      module(
        "<update id='i'>"
          + copies(
            "<step>create table if not exists y as with recursive c(x) as (select 1 union all select x + 1 from c) "
              + "select x from c</step>", 100) + "</update>", "initializer='i'")
    ),
  ]

  @Test("are checked and explained in a few seconds", arguments: shapes.map(\.name))
  func effort(name: String) throws {
    let shape = try #require(Self.shapes.first { $0.name == name })
    let bytes = Array(shape.document.utf8)
    let time = ProcessorTime()
    _ = DAOCheck.findings(bytes)
    if let program = try? DAOProgram(reading: bytes) {
      for method in program.document.methods {
        let arguments = method.arguments.map { _ in DAOValue.list([.integer(1), .text("x")]) }
        _ = try? program.explain(method.name, arguments)
      }
    }
    #expect(time.elapsed < .seconds(60), "\(bytes.count) bytes")
  }

  @Test("with loops of a million elements and more are refused when they are called")
  func rounds() throws {
    let loops = Self.copies("<foreach collection='x' item='i'>", 30) + ",1" + Self.copies("</foreach>", 30)
    let program = try DAOProgram(reading: Array(Self.module(Self.select(loops)).utf8))
    do {
      _ = try program.explain("q", [.null, .list([.integer(1), .integer(2)])])
      Issue.record("no error")
    } catch {
      #expect(error.code == .sql && error.values["cause"] == "rounds")
    }
  }

  @Test("name long words by their beginning")
  func names() {
    let findings = DAOCheck.findings(Array("<module name='m'><\(Self.copies("e", 100_000))/></module>".utf8))
    #expect(findings.count == 1 && findings.allSatisfy { $0.values["name"]?.count ?? .max <= 1001 })
  }
}
