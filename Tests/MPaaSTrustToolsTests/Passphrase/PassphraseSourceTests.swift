import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import MPaaSTrustTools
import Testing

@Suite("The passphrases of a call") struct PassphraseSourceTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func file(_ name: String, _ text: String, mode: Int = 0o600) throws -> String {
    let path = folder.path + "/" + name
    #expect(
      FileManager.default.createFile(
        atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: mode]))
    return path
  }

  private func refused(_ work: () throws -> SecretBytes) -> DiagnosticID? {
    do {
      _ = try work()
      return nil
    } catch {
      return (error as? Diagnostic)?.id
    }
  }

  // MARK: A person

  @Test("that open what is there are typed once")
  func existing() throws {
    let person = AnsweringPerson("horse")
    #expect(try person.source.existing(for: "anna").text == "horse")
    #expect(person.questions == [.existing("anna")])
  }

  @Test("for something new are typed twice")
  func fresh() throws {
    let person = AnsweringPerson("horse", "horse")
    #expect(try person.source.fresh(for: "anna").text == "horse")
    #expect(person.questions == [.new("anna"), .again])
  }

  @Test("for something new are refused where the second differs", arguments: ["Horse", "horse ", "hors", "horses"])
  func differing(second: String) {
    #expect(refused { try AnsweringPerson("horse", second).source.fresh(for: "anna") } == "passphrase-differs")
  }

  @Test("that are empty are refused, and no second one is asked for")
  func empty() {
    let person = AnsweringPerson("", "")
    #expect(refused { try person.source.fresh(for: "anna") } == "passphrase-empty")
    #expect(person.questions == [.new("anna")])
  }

  // MARK: Files

  @Test(
    "are the first lines of files, without the line's end", arguments: ["horse", "horse\n", "horse\r\n", "horse\nx"])
  func firstLine(text: String) throws {
    let person = AnsweringPerson()
    let source = PassphraseSource(files: [try file("a", text)], effects: person.effects)
    #expect(try source.fresh(for: "anna").text == "horse")
    #expect(person.questions == [])
    #expect(person.warnings == [])
  }

  @Test("are refused where a file's first line is empty", arguments: ["", "\n", "\nhorse"])
  func emptyFile(text: String) throws {
    let source = PassphraseSource(files: [try file("a", text)], effects: AnsweringPerson("horse").effects)
    #expect(refused { try source.existing(for: "anna") } == "passphrase-empty")
  }

  @Test("come from each file in its turn, then from the last")
  func turns() throws {
    let files = [try file("a", "one"), try file("b", "two")]
    let source = PassphraseSource(files: files, effects: AnsweringPerson().effects)
    #expect(try (0..<4).map { try source.existing(for: "anna", at: $0).text } == ["one", "two", "two", "two"])
  }

  @Test("are taken from a file that others may read, with a warning")
  func openFile() throws {
    let person = AnsweringPerson()
    let path = try file("a", "horse", mode: 0o644)
    #expect(try PassphraseSource(files: [path], effects: person.effects).existing(for: "anna").text == "horse")
    #expect(person.warnings == [Diagnostic("passphrase-file-open", ["path": path], exit: .notPermitted)])
  }

  @Test("are not asked for where the file is missing")
  func missingFile() {
    let person = AnsweringPerson("horse")
    let source = PassphraseSource(files: [folder.path + "/none"], effects: person.effects)
    #expect(throws: TrustError.self) { try source.existing(for: "anna") }
    #expect(person.questions == [])
  }

  // MARK: Order

  @Test("come from a file before an open file, and from that before the environment")
  func order() throws {
    var source = PassphraseSource(
      files: [try file("a", "in the file")], descriptor: 7, variable: "in the environment",
      effects: AnsweringPerson("typed").effects)
    #expect(try source.existing(for: "anna").text == "in the file")
    source.files = []
    #expect(try source.existing(for: "anna").text == "from 7")
    source.descriptor = nil
    #expect(try source.existing(for: "anna").text == "in the environment")
    source.variable = ""
    #expect(try source.existing(for: "anna").text == "typed")
  }

  @Test("of the environment are taken whole, with the ends of lines")
  func variable() throws {
    let source = PassphraseSource(variable: "two\nlines", effects: AnsweringPerson().effects)
    #expect(try source.fresh(for: "anna").text == "two\nlines")
  }
}
