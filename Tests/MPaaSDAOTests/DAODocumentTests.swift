import MPaaSDAO
import Testing

@Suite("DAO documents") struct DAODocumentTests {
  private static func code(_ text: String) -> String? {
    do {
      _ = try DAOProgram(reading: Array(text.utf8))
      return nil
    } catch {
      return error.code.id
    }
  }

  @Test(
    "are refused where they are no XML, or could grow by themselves",
    arguments: [
      "", "no", "<module", "<module name='a'></modul>", "<module name='a'>&x;</module>",
      "<!DOCTYPE m [<!ENTITY x 'y'>]><module name='a'>&x;</module>", "<!DOCTYPE module><module name='a'/>",
      String(repeating: "<module name='a'>", count: 70) + String(repeating: "</module>", count: 70),
      "<module name='a'>\(String(repeating: " ", count: 8 << 20))</module>", "<module name='a' name='b'/>",
      "<module name='a'/>\u{0}",
    ])
  func xml(text: String) {
    #expect(Self.code(text) == "dao-xml", "\(text.prefix(60))")
  }

  @Test("do not grow without bound by pieces that name others many times")
  func bomb() {
    var text = "<module name='a'><sql id='s0'>x</sql>"
    for level in 1...30 {
      text += "<sql id='s\(level)'>\(String(repeating: "${s\(level - 1)}", count: 10))</sql>"
    }
    #expect(Self.code(text + "<select id='q'>${s30}</select></module>") == "dao-xml")
  }

  @Test("tell the place of a fault in a method of several lines")
  func places() throws {
    let text = DAOFixtures.module("<select id='a' arguments='x'>select 1\n  where id = #{x}\n    and #{y z}</select>")
    do {
      _ = try DAOFixtures.program(text)
      Issue.record("no error")
    } catch let error as DAOError {
      #expect(error.code == .reference && error.position == DAOPosition(5, 9), "\(error)")
    }
  }

  @Test("warn of misprints, of arguments that nothing uses, and of texts that become SQL")
  func warnings() {
    let text = DAOFixtures.module(
      #"<select id="a" arguments="x, y">select 1 <if flase="x">, 2</if> order by @{x no ""}</select>"#)
    let findings = DAOCheck.findings(Array(text.utf8))
    #expect(findings.map(\.code) == [.unusedArgument, .misprint, .rawReference])
    #expect(findings.allSatisfy { $0.severity == .warning })
  }

  @Test("warn of queries that always have conditions and never an index")
  func scans() {
    let methods = """
      <select id="slow" arguments="n">select * from ${T} where name = #{n}</select>
      <select id="fast" arguments="n">select * from ${T} where id = #{n}</select>
      <select id="all">select * from ${T}</select>
      """
    let findings = DAOCheck.findings(Array(DAOFixtures.module(methods).utf8))
    #expect(findings.map(\.code) == [.fullScan] && findings.first?.position.line == 3)
  }

  @Test("the manual's first example is no SQL, since index is a keyword")
  func manual() {
    let text = """
      <module name="Demo" initializer="createTable" tableName="demoTable">
      <update id="createTable">create table if not exists ${T} (index integer primary key, content string)</update>
      <insert id="insertItem" arguments="content">insert into ${T} (content) values (#{content})</insert>
      <select id="getItem" arguments="index" result="string">select * from ${T} where index = #{index}</select>
      </module>
      """
    let findings = DAOCheck.findings(Array(text.utf8))
    #expect(findings.first?.code == .sql && findings.first?.position.line == 2, "\(findings)")
  }

  @Test("upgrades are tried from the versions of the history")
  func history() throws {
    func text(_ version: String, _ columns: String, _ upgrades: String) -> [UInt8] {
      let head = "<module name='H' initializer='make' tableName='h' version='\(version)'>"
      return Array("\(head)<update id='make'>create table ${T} (\(columns))</update>\n\(upgrades)</module>".utf8)
    }
    let old = try DAODocument(reading: text("1.0", "a", ""))
    let add = "<upgrade toVersion='1.1'>alter table ${T} add column b</upgrade>"
    #expect(DAOCheck.findings(text("1.1", "a, b", add), history: [old]) == [])
    #expect(DAOCheck.findings(text("1.1", "a, b, c", add), history: [old]).map(\.code) == [.version])
    let wrong = "<upgrade toVersion='1.1'>alter table ${T} add column a</upgrade>"
    #expect(DAOCheck.findings(text("1.1", "a, b", wrong)) == [])
    #expect(DAOCheck.findings(text("1.1", "a, b", wrong), history: [old]).map(\.code) == [.sql])
  }
}
