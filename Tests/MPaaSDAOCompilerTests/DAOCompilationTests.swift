import Foundation
import MPaaSDAO
import MPaaSDeclarations
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSDAOCompiler

@Suite("Swift of DAO documents") struct DAOCompilationTests {
  private static func module(_ methods: String) -> [UInt8] {
    Array(
      """
      <module name="M" initializer="make" tableName="t">
      <update id="make">create table if not exists ${T} (id integer primary key, name text, age integer, score real, data blob)</update>
      \(methods)
      </module>
      """.utf8)
  }

  private static func compile(
    _ methods: String, sources: String = "", _ options: DAOCompilation.Options = DAOCompilation.Options()
  ) -> DAOCompilation {
    let types = DeclarationScanner.scan(Array(sources.utf8), file: "A.swift")
    return DAOCompilation([(file: "a/m.xml", bytes: module(methods))], types: types, options: options)
  }

  @Test(
    "arguments have the types of the columns and values that they meet",
    arguments: [
      ("where id = #{a}", "Int64?"), ("where name = #{a}", "String?"), ("where score &gt; #{a}", "Double?"),
      ("where data is #{a}", "[UInt8]?"), ("where name like '%@{a}%'", "String?"), ("limit #{a}", "Int64?"),
      ("where age between #{a} and 3", "Int64?"), ("where t.age = #{a}", "Int64?"),
      (
        "where id in <foreach item=\"i\" collection=\"a\" open=\"(\" separator=\",\" close=\")\">#{i}</foreach>",
        "[Int64?]?"
      ),
      ("<if true=\"a\">where id = 1</if>", "Bool?"), ("<if true=\"a &gt; 2.5\">where id = 1</if>", "Double?"),
      ("<if true=\"a == 'x'\">where id = 1</if>", "String?"), ("where id = #{a} or name = #{a}", "DAOValue"),
      ("where id = #{a.b}", "DAOValue"), ("where id = #{a} + 1", "DAOValue"), ("where #{a}", "DAOValue"),
    ])
  func inference(sql: String, type: String) {
    let compilation = Self.compile("<select id='q' arguments='a'>select * from ${T} \(sql)</select>")
    #expect(compilation.plans.first?.plans.last?.arguments.first?.type.text == type, "\(sql) \(compilation.lines)")
  }

  @Test("values of an insert have the types of their columns, and $ takes nil away")
  func inserted() {
    let insert =
      "<insert id='add' arguments='a, $b, c'>insert into ${T} (name, age, data) values (#{a}, #{b}, #{c})</insert>"
    let compilation = Self.compile(insert)
    #expect(
      compilation.source?.contains("func add(a: String?, b: Int64, c: [UInt8]?) throws(DAOError) -> DAOChanges") == true
    )
    var untyped = DAOCompilation.Options()
    untyped.infersTypes = false
    untyped.access = .public
    let other = Self.compile(insert, untyped)
    #expect(other.source?.contains("public func add(a: DAOValue, b: DAOValue, c: DAOValue)") == true)
    #expect(other.source?.contains("if b == .null") == true)
  }

  @Test("types that the document gives count more than uses, and those that there are not are told")
  func declared() {
    let good = Self.compile(
      "<select id='q' arguments='at, ids' types='at: Date?, ids: [Int]' result='int'>select 1 where #{at} &lt; 1 and id in <foreach item='i' collection='ids' open='(' close=')' separator=','>#{i}</foreach></select>"
        .replacing("where #{at}", with: "from ${T} where #{at}"))
    #expect(good.source?.contains("func q(at: Date?, ids: [Int]) throws(DAOError) -> Int?") == true, "\(good.lines)")
    #expect(good.source?.contains("import FoundationEssentials") == true)
    for types in ["a: Thing", "a", "b: Int"] {
      let bad = Self.compile("<select id='q' arguments='a' types='\(types)'>select #{a}</select>")
      #expect(bad.source == nil && bad.lines.contains { $0.hasPrefix("a/m.xml:3:1: error: ") }, "\(bad.lines)")
    }
  }

  @Test("types of the sources are filled by the columns of their properties, and give values by properties")
  func sources() {
    let source =
      "struct Row { let id: Int64; var name: String?; var other = 1 }\nfinal class Box { var age = 0; var score: Double? }"
    let compilation = Self.compile(
      """
      <select id="rows" result="[Row]">select name, id from ${T}</select>
      <select id="box" result="Box">select age from ${T}</select>
      <insert id="add" arguments="row" types="row: Row">insert into ${T} (id, name) values (#{row.id}, #{row.name})</insert>
      """, sources: source)
    let text = compilation.source ?? ""
    #expect(text.contains("try Row(id: query.integer(0), name: query.optionalText(1))"), "\(compilation.lines)")
    #expect(text.contains("DAOColumns([\"id\", \"name\"])"))
    #expect(
      text.contains("let row = Box()") && text.contains("row.age = try Int(truncatingIfNeeded: query.integer(0))"))
    #expect(text.contains("query.bind(1, argument0.id)") && text.contains("query.bind(2, argument0.name)"))
    let wrong = Self.compile(
      "<insert id='add' arguments='row' types='row: Row'>insert into ${T} (id) values (#{row.nosuch})</insert>",
      sources: source)
    #expect(wrong.lines.contains { $0.contains("[dao-types]") }, "\(wrong.lines)")
  }

  @Test("documents with errors are refused with the findings of the check")
  func refused() {
    let compilation = Self.compile("<select id='q'>select nosuch from ${T}</select>")
    #expect(compilation.source == nil && compilation.hasErrors)
    #expect(
      compilation.lines == ["a/m.xml:3:1: error: SQLite refuses the statement: no such column: nosuch. [dao-sql]"])
  }

  @Test(
    "names that Swift keeps for itself, and unusual ones, give code that compiles without a warning", .tool("swiftc"))
  func unusual() throws {
    let compilation = Self.compile(
      """
      <select id="class" arguments="self, in, session" result="[import]">select id as "a b", name as "func", age as "1" from ${T} where id = #{in} and name = #{self} and age = #{session}</select>
      <select id="get-all" result="{}">select * from ${T} <if true="false">where 1</if><if true="true">limit 1</if></select>
      <select id="名" arguments="storage">select '\\(x)\u{200b}\t"' <choose><when true="true">, 1</when><otherwise>, 2</otherwise></choose> <if true="storage"> </if></select>
      <update id="nothing"/>
      """)
    let source = try #require(compilation.source, "\(compilation.lines)")
    let folder = try TemporaryFolder()
    let path = folder.path + "/m.swift"
    try Data(source.utf8).write(to: URL(filePath: path))
    let outcome = try Command.run("swiftc", ["-typecheck"] + DifferenceProgram.flags() + ["-parse-as-library", path])
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)\(source)")
  }

  @Test("the sentences of a build are those of the catalogue")
  func sentences() throws {
    let file = Fixture.package.appending(path: "Sources/MPaaSTerminal/Catalogue/Texts/dao.en.json")
    let texts = try JSONDecoder().decode([String: String].self, from: Data(contentsOf: file))
    #expect(DAOEnglishSentences.all.count > 20)
    for (id, sentence) in DAOEnglishSentences.all { #expect(texts["diagnostic.\(id)"] == sentence, "\(id)") }
  }

  @Test("whatever a document is, it gives Swift or findings", .fixtures)
  func damaged() throws {
    var random = SeededRandom(seed: 7)
    for round in 0..<SeededRandom.rounds(or: 20) {
      var maker = RandomDocument(seed: UInt64(round))
      var bytes = Array(maker.xml().utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        if Bool.random(using: &random) {
          bytes[place] = UInt8.random(in: 0...255, using: &random)
        } else {
          bytes.removeSubrange(place..<min(place + 9, bytes.count))
        }
      }
      let compilation = DAOCompilation([(file: "m.xml", bytes: bytes)])
      #expect(compilation.source != nil || compilation.hasErrors)
    }
  }
}
