import Foundation
import MPaaSTestSupport
import Testing

/// The list of `mpaas pinyin search --interactive`, in a terminal of its own.
@Suite("The picker", .tool("setsid")) struct PinyinPickerTests {
  static let names = "张三\n李四\n赵四\n张三丰在武当山上练太极拳\nTom张\n"
  let folder: TemporaryFolder

  init() throws {
    folder = try PinyinSearchTests.folder(["names": Self.names])
  }

  /// A picker whose result goes to the file `out`, and its status to the terminal.
  func picker(
    _ options: String = "", columns: Int = 60, rows: Int = 8, environment: [String: String] = [:]
  ) throws -> PtySession {
    let line = "mpaas pinyin search -i --data '\(folder.path)/names' \(options) > '\(folder.path)/out'; echo status $?"
    return try PtySession(
      line, columns: columns, rows: rows, environment: environment.merging(["MPAAS_HOME": folder.path]) { $1 })
  }

  var output: String { (try? String(contentsOf: folder.url.appending(path: "out"), encoding: .utf8)) ?? "" }

  @Test("follows what is typed, and Enter prints the line that is pointed at")
  func picks() throws {
    let session = try picker()
    try session.waitFor("5/5")
    #expect(session.screen.isAlternate)
    #expect(session.screen.modes.contains(2004))
    session.type("zs")
    // The count is drawn before the lines and the cursor: all of it is waited for.
    let screen = try session.waitFor("the three names") {
      $0.text.contains("3/5") && $0.lines[0] == "> zs" && $0.cursor == (0, 4)
        && $0.lines[2] == "> 张三" && $0.lines[3] == "  赵四" && $0.lines[4].contains("张三丰")
    }
    #expect(screen.raw.contains("\u{1b}[1;32m张三\u{1b}[0m丰") || screen.raw.contains("\u{1b}[1;32m张三\u{1b}[0m"))
    session.type("\u{1b}[B")
    try session.waitFor("the pointer on the second") { $0.lines[3] == "> 赵四" }
    session.type("\r")
    try session.waitFor("status 0")
    #expect(try session.end() == 0)
    #expect(!session.screen.isAlternate)
    #expect(session.screen.modes == [25])
    #expect(output == "赵四\n")
  }

  @Test("the line is edited as in a shell, with what an input method or the clipboard brings")
  func edits() throws {
    let session = try picker()
    try session.waitFor("5/5")
    session.type("zhang xx")
    try session.waitFor("0/5")
    session.type("\u{17}")
    try session.waitFor("3/5")
    session.type("\u{15}李")
    try session.waitFor("1/5")
    session.type("\u{7f}\u{1b}[200~tom\n\u{1b}[201~")
    try session.waitFor("the pasted line") { $0.lines[0] == "> tom" && $0.text.contains("1/5") }
    // Half a character waits for the other half.
    session.type(bytes: [0xe5, 0xbc])
    session.type(bytes: [0xa0])
    try session.waitFor("> tom张")
    session.type("\r")
    #expect(try session.end() == 0)
    #expect(output == "Tom张\n")
  }

  @Test(
    "Escape, Ctrl-C and the terminal's end give up with status 130 and print nothing", arguments: ["\u{1b}", "\u{3}"])
  func cancels(key: String) throws {
    let session = try picker()
    try session.waitFor("5/5")
    session.type(key)
    try session.waitFor("status 130")
    #expect(try session.end() == 0)
    #expect(output.isEmpty)
    #expect(!session.screen.isAlternate)
  }

  @Test("Enter with nothing found prints nothing, status 1")
  func nothing() throws {
    let session = try picker("nonsense")
    try session.waitFor("0/5")
    session.type("\r")
    try session.waitFor("status 1")
    #expect(output.isEmpty)
  }

  @Test("Tab marks several, which are printed in the order of marking; --json says their numbers")
  func multiple() throws {
    let session = try picker("--multi --json")
    try session.waitFor("5/5")
    session.type("\u{1b}[B\t")
    try session.waitFor("(1)")
    session.type("\u{1b}[A\u{1b}[A\t\r")
    try session.waitFor("status 0")
    let picked = try #require(try json(output)["picked"] as? [[String: Any]])
    #expect(picked.first?["index"] as? Int == 1)
    #expect(picked.count == 2)
  }

  @Test("the list is drawn anew when the terminal gets another size, wide characters cut rightly")
  func resizes() throws {
    let session = try picker("taiji")
    try session.waitFor("1/5")
    session.resize(columns: 17, rows: 5)
    let screen = try session.waitFor("the row cut") { $0.lines[2].contains("太极") }
    #expect(screen.lines[2].hasPrefix("> …"))
    #expect(screen.lines.allSatisfy { !$0.contains("Enter") })
    session.resize(columns: 60, rows: 8)
    try session.waitFor("> 张三丰在武当山上练太极拳")
    session.type("\u{3}")
    #expect(try session.end() == 0)
  }

  @Test("data comes through a pipe, and the list may take few rows of the usual screen")
  func inline() throws {
    let session = try PtySession(
      "echo before; printf '张三\\n李四\\n' | mpaas pinyin search -i --height 4 --no-initials; echo status $?",
      environment: ["MPAAS_HOME": folder.path])
    let screen = try session.waitFor("2/2")
    #expect(!screen.isAlternate)
    #expect(screen.lines[0] == "before")
    #expect(screen.lines[1] == ">")
    session.type("li\r")
    try session.waitFor("status 0")
    #expect(session.screen.lines.prefix(3) == ["before", "李四", "status 0"])
  }

  @Test("a signal that ends it gives the terminal back first", arguments: [SIGTERM, SIGHUP, SIGINT])
  func signals(number: Int32) throws {
    let session = try PtySession(
      "stty -a > '\(folder.path)/before'; mpaas pinyin search -i --data '\(folder.path)/names'; echo status $?; "
        + "stty -a > '\(folder.path)/after'; echo done",
      environment: ["MPAAS_HOME": folder.path])
    try session.waitFor("5/5")
    try session.signal(number, program: "mpaas")
    try session.waitFor("done")
    #expect(session.screen.text.contains("status \(128 + number)"))
    #expect(!session.screen.isAlternate)
    let settings = try ["before", "after"].map {
      try String(contentsOf: folder.url.appending(path: $0), encoding: .utf8)
    }
    #expect(settings[0] == settings[1])
  }

  @Test("NO_COLOR takes the colours away; Chinese users read Chinese")
  func colours() throws {
    let session = try picker("zs", environment: ["NO_COLOR": "1", "MPAAS_LANG": "zh-Hans"])
    let screen = try session.waitFor("3/5")
    #expect(screen.raw.firstRange(of: "\u{1b}[1;32m") == nil)
    #expect(screen.raw.firstRange(of: "\u{1b}[35m") == nil)
    #expect(screen.text.contains("选取"))
    session.type("\u{3}")
    #expect(try session.end() == 0)
  }

  @Test("without a terminal it says so")
  func noTerminal() throws {
    let outcome = try Command.run(
      "setsid", ["--wait", Command.mpaas.path, "pinyin", "search", "-i"], input: "张三\n",
      environment: ["LC_ALL": "C", "MPAAS_LANG": ""])
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("no terminal"))
    #expect(try mpaas("pinyin", "search", "-i", "--no-input", input: "张三\n").status == 64)
  }
}
