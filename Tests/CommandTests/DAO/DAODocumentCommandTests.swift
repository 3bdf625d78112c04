import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas dao explain, run and check") struct DAODocumentCommandTests {
  private static let document = """
    <module name="Notes" initializer="make" tableName="notes">
    <update id="make">create table if not exists ${T} (id integer primary key, text text)</update>
    <insert id="add" arguments="$text">insert into ${T} (text) values (#{text})</insert>
    <select id="find" arguments="ids" result="[{}]">select * from ${T}
      <where><if true="ids != nil">id in <foreach item="i" collection="ids" open="(" separator="," close=")">#{i}</foreach></if></where>
      order by id</select>
    <select id="me">select #{me}</select>
    </module>
    """

  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try Data(document.utf8).write(to: folder.url.appending(path: "notes.xml"))
    return folder
  }

  @Test("explain shows statements and values, and names what it refuses")
  func explain() throws {
    let folder = try Self.folder()
    let shown = try Command.run(
      "mpaas", ["dao", "explain", "notes.xml", "find", "--arguments", "[[1,2]]", "--json"], directory: folder.url)
    let sql = "select * from notes WHERE id in (?,?) order by id"
    #expect(shown.status == 0, "\(shown.errors)")
    #expect(
      shown.output == #"{"statements":[{"bindings":[1,2],"kind":"statement","sql":"\#(sql)"}]}"# + "\n")
    let text = try Command.run(
      "mpaas", ["dao", "explain", "notes.xml", "me", "--globals", #"{"me":"I"}"#], directory: folder.url)
    #expect(text.output == "select ?\n  \"I\"\n")
    let none = try Command.run("mpaas", ["dao", "explain", "notes.xml", "nope", "--json"], directory: folder.url)
    #expect(none.status == 64)
    #expect(none.errors.contains("dao-no-method"))
    let null = try Command.run(
      "mpaas", ["dao", "explain", "notes.xml", "add", "--arguments", "[null]", "--lang", "zh-Hans"],
      directory: folder.url)
    #expect(null.errors.contains("不接受 nil"), "\(null.errors)")
    let wrong = try Command.run(
      "mpaas", ["dao", "explain", "notes.xml", "add", "--arguments", "["], directory: folder.url)
    #expect(wrong.status == 65)
  }

  @Test("run answers each call on a line, and keeps what was committed")
  func run() throws {
    let folder = try Self.folder()
    let calls = """
      {"method":"add","args":["a"]}
      {"transaction":"begin"}
      {"method":"add","args":["b"]}
      {"transaction":"rollback"}
      {"method":"add","args":[null]}
      {"method":"find","args":[null]}
      {"method":"add","args":["c"],"table":"others"}
      """
    let options = ["dao", "run", "notes.xml", "--database", "a.db", "--calls", "-", "--json"]
    let ran = try Command.run("mpaas", options, input: calls, directory: folder.url)
    #expect(ran.status == 0, "\(ran.errors)")
    #expect(
      ran.output == """
        {"changes":1,"lastRowId":1,"ok":true}
        {"ok":true}
        {"changes":1,"lastRowId":2,"ok":true}
        {"ok":true}
        {"error":"dao-null-argument","ok":false}
        {"ok":true,"result":[{"id":1,"text":"a"}]}
        {"changes":1,"lastRowId":1,"ok":true}

        """)
    let broken = try Command.run("mpaas", options, input: "{\"method\"", directory: folder.url)
    #expect(broken.status == 65)
    #expect(broken.errors.contains("dao-json"))
  }

  @Test("check names faults with their places, and ends with 1")
  func check() throws {
    let folder = try Self.folder()
    let known = ["dao", "check", "notes.xml", "--global", "me"]
    let good = try Command.run("mpaas", known + ["--json"], directory: folder.url)
    #expect(good.status == 0 && good.output == "{\"findings\":[]}\n", "\(good.output)\(good.errors)")
    let bad = try Command.run("mpaas", ["dao", "check", "notes.xml"], directory: folder.url)
    #expect(bad.status == 1)
    #expect(bad.output.contains("notes.xml:7:"), "\(bad.output)")
    #expect(bad.output.contains("me is no argument of the method. [dao-unknown-argument]"), "\(bad.output)")
    let missing = try Command.run("mpaas", ["dao", "check", "none.xml"], directory: folder.url)
    #expect(missing.status == 66)
  }

  @Test("compile writes a class, and refuses a document with the findings of check")
  func compile() throws {
    let folder = try Self.folder()
    let options = ["dao", "compile", "notes.xml", "--output", "Notes.swift"]
    let refused = try Command.run("mpaas", options, directory: folder.url)
    #expect(refused.status == 65)
    #expect(refused.output.contains("notes.xml:7:"), "\(refused.output)\(refused.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/Notes.swift"))
    let made = try Command.run("mpaas", options + ["--global", "me", "--access", "public"], directory: folder.url)
    #expect(made.status == 0 && made.output.contains("Notes.swift: 4 methods of Notes"), "\(made.output)\(made.errors)")
    let source = try String(contentsOf: folder.url.appending(path: "Notes.swift"), encoding: .utf8)
    #expect(source.contains("public final class Notes: CompiledDAO {"))
    #expect(source.contains("public func add(text: String) throws(DAOError) -> DAOChanges {"))
    let json = try Command.run("mpaas", options + ["--global", "me", "--json"], directory: folder.url)
    #expect(json.output.contains(#""modules":[{"file":"notes.xml","methods":4,"name":"Notes"}]"#), "\(json.output)")
  }

  @Test("reasons come in the language that is asked for")
  func reasons() throws {
    let folder = try TemporaryFolder()
    try Data("<module name='a'><select id='q'>select 1 <if true='1 +'>x</if></select></module>".utf8)
      .write(to: folder.url.appending(path: "a.xml"))
    let chinese = try Command.run("mpaas", ["dao", "check", "a.xml", "--lang", "zh-Hans"], directory: folder.url)
    #expect(chinese.output.contains("提前结束"), "\(chinese.output)")
    let english = try Command.run("mpaas", ["dao", "check", "a.xml"], directory: folder.url)
    #expect(english.output.contains("it ends too early"), "\(english.output)")
  }

  @Test("a document with encrypted properties needs the key file")
  func keyFile() throws {
    let folder = try TemporaryFolder()
    let document = """
      <module name="P" initializer="make" tableName="p"><crypt class="P" property="name"/>
      <update id="make">create table if not exists ${T} (name)</update>
      <insert id="add" arguments="p">insert into ${T} values (#{p.name})</insert>
      <select id="all" result="[P]">select * from ${T}</select></module>
      """
    try Data(document.utf8).write(to: folder.url.appending(path: "p.xml"))
    try Data(String(repeating: "0a", count: 32).utf8).write(to: folder.url.appending(path: "key"))
    let calls = "{\"method\":\"add\",\"args\":[{\"$class\":\"P\",\"name\":\"Ada\"}]}\n{\"method\":\"all\"}\n"
    let options = ["dao", "run", "p.xml", "--database", "p.db"]
    let without = try Command.run("mpaas", options, input: calls, directory: folder.url)
    #expect(without.output.contains("dao-no-key"), "\(without.output)\(without.errors)")
    let with = try Command.run("mpaas", options + ["--key-file", "key"], input: calls, directory: folder.url)
    #expect(with.output.hasSuffix("{\"ok\":true,\"result\":[{\"name\":\"Ada\"}]}\n"), "\(with.output)\(with.errors)")
    let bytes = try Data(contentsOf: folder.url.appending(path: "p.db"))
    #expect(bytes.range(of: Data("Ada".utf8)) == nil)
  }

  @Test("a database that a key file made opens with that key alone, and a plain one with none")
  func encryptedDatabase() throws {
    let folder = try Self.folder()
    for (name, digits) in [("key", "0a"), ("other", "0b"), ("short", "")] {
      try Data((String(repeating: digits, count: 32) + "\n").utf8).write(to: folder.url.appending(path: name))
    }
    func run(_ database: String, _ key: String?) throws -> Command.Outcome {
      try Command.run(
        "mpaas",
        ["dao", "run", "notes.xml", "--database", database, "--json"] + (key.map { ["--key-file", $0] } ?? []),
        input: "{\"method\":\"add\",\"args\":[\"a secret\"]}\n", directory: folder.url)
    }
    for (database, key, refused) in [
      ("a.db", "key", [nil: "dao-key-missing", "other": "dao-key-wrong", "short": "dao-key-file"]),
      ("plain.db", nil, ["key": "dao-not-encrypted"]),
    ] {
      for number in 1...2 {
        let outcome = try run(database, key)
        #expect(outcome.output == "{\"changes\":1,\"lastRowId\":\(number),\"ok\":true}\n", "\(outcome.errors)")
        for (key, identifier) in refused {
          let outcome = try run(database, key)
          #expect(outcome.status == (key == "short" ? 65 : 77), "\(outcome.errors)")
          #expect(outcome.errors.contains(identifier), "\(outcome.errors)")
        }
      }
    }
    let bytes = try Data(contentsOf: folder.url.appending(path: "a.db"))
    #expect(bytes.range(of: Data("a secret".utf8)) == nil)
  }
}
