import MPaaSDAO
import MPaaSSupport
import Testing

@Suite("The DAO interpreter") struct DAOInterpreterTests {
  private static let add =
    #"<insert id="add" arguments="name, age">insert into ${T} (name, age) values (#{name}, #{age})</insert>"#
  private static let count = #"<select id="count" result="int">select count(*) from ${T}</select>"#

  @Test("a call that fails leaves the database as it was, also inside of a transaction")
  func rollback() throws {
    let steps = """
      <update id="two"><step>insert into ${T} (name) values ('a')</step><step>insert into nosuch values (1)</step></update>
      """
    let dao = try DAOFixtures.interpreter(Self.add + Self.count + steps)
    #expect(throws: DAOError.self) { try dao.call("two", []) }
    #expect(try dao.call("count", []) == .result(0))
    try dao.transaction(.begin)
    _ = try dao.call("add", ["x", 1])
    #expect(throws: DAOError.self) { try dao.call("two", []) }
    try dao.transaction(.commit)
    #expect(try dao.call("count", []) == .result(1))
  }

  @Test("transactions begin once and end once")
  func transactions() throws {
    let dao = try DAOFixtures.interpreter(Self.add)
    #expect { try dao.transaction(.commit) } throws: { ($0 as? DAOError)?.code == .transaction }
    try dao.transaction(.begin)
    #expect { try dao.transaction(.begin) } throws: { ($0 as? DAOError)?.code == .transaction }
    try dao.transaction(.rollback)
  }

  @Test("a table that a rolled back transaction made is made again")
  func madeAgain() throws {
    let dao = try DAOFixtures.interpreter(Self.add + Self.count)
    try dao.transaction(.begin)
    _ = try dao.call("add", ["x", 1])
    try dao.transaction(.rollback)
    #expect(try dao.call("count", []) == .result(0))
  }

  @Test("a document with encrypted properties is not called without a key, and keeps no plain text")
  func crypt() throws {
    let dao = try DAOFixtures.interpreter(
      """
      <crypt class="Person" property="name"/>
      <insert id="put" arguments="p">insert into ${T} (name, age) values (#{p.name}, #{p.age})</insert>
      <select id="get" result="Person">select * from ${T}</select>
      <select id="raw" result="{}">select * from ${T}</select>
      """)
    let person = DAOValue.object(DAOObject(className: "Person", properties: ["name": "Ada", "age": 36]))
    #expect { try dao.call("put", [person]) } throws: { ($0 as? DAOError)?.code == .noKey }
    let around = DAOSurroundings(crypt: .aes(key: [UInt8](repeating: 7, count: 32)))
    _ = try dao.call("put", [person], around)
    let full = DAOObject(className: "Person", properties: ["id": 1, "name": "Ada", "age": 36])
    #expect(try dao.call("get", [], around) == .result(.object(full)))
    guard case .result(.dictionary(let raw)) = try dao.call("raw", [], around), case .data(let bytes)? = raw["name"]
    else {
      Issue.record("no data")
      return
    }
    #expect(!bytes.contains("Ada".utf8) && raw["age"] == 36)
    let other = DAOSurroundings(crypt: .aes(key: [UInt8](repeating: 8, count: 32)))
    #expect { try dao.call("get", [], other) } throws: { ($0 as? DAOError)?.code == .crypt }
  }

  @Test("a shape that is one value reads one row, and a list all")
  func shapes() throws {
    let dao = try DAOFixtures.interpreter(
      Self.add + """
        <map id="m" result="P"><result property="title" column="name"/></map>
        <select id="mapped" result="[:m]">select name from ${T} order by id</select>
        <select id="one" result="string">select name from ${T} order by id</select>
        <select id="none" result="double">select age from ${T} where id = 99</select>
        """)
    for name in ["a", "b"] { _ = try dao.call("add", [.text(name), nil]) }
    let titles = ["a", "b"].map { DAOValue.object(DAOObject(className: "P", properties: ["title": .text($0)])) }
    #expect(try dao.call("mapped", []) == .result(.list(titles)))
    #expect(try dao.call("one", []) == .result("a"))
    #expect(try dao.call("none", []) == .result(.null))
  }
}
