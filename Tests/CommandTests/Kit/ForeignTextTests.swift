import Foundation
import MPaaSTestSupport
import Testing

/// Files that were made to steer a terminal or to deceive its reader, in content and in name.
private struct HostileFiles {
  /// A title, a bell, a carriage return, a C1 sequence, marks of the writing direction, and a line of its own.
  static let text =
    "x\u{1b}]0;t\u{7}y\u{1b}[2J\rz\u{9b}2J\u{202e}w\u{2066}v\u{200f}\u{2028}u\u{8}\nerror: fake\u{200b}"

  let home: TemporaryFolder
  var name: String { home.path + "/" + Self.text }

  init() throws {
    home = try TemporaryFolder()
    let folder = home.path + "/reports"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try write(Self.report("EXC_BAD_ACCESS"), to: folder + "/" + Self.text + ".ips")
    try write(Self.report("EXC_CRASH"), to: folder + "/b.ips")
    try write(Self.log, to: name + ".log")
    let values: [String: Any] = ["k": Self.text, Self.text: [Self.text]]
    let list = try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
    try list.write(to: URL(filePath: name + ".plist"))
    let other = try PropertyListSerialization.data(fromPropertyList: ["k": "v"], format: .binary, options: 0)
    try other.write(to: URL(filePath: home.path + "/other.plist"))
    let project = name + ".xcodeproj"
    try FileManager.default.createDirectory(atPath: project, withIntermediateDirectories: true)
    try write(Self.project, to: project + "/project.pbxproj")
    try write("MODULE Linux x86_64 \(Self.module) a\(Self.line)\nFUNC 1000 10 0 f\(Self.line)\n", to: name + ".sym")
    let escaped = Self.text.unicodeScalars.map { "\\u{\(String($0.value, radix: 16))}" }.joined()
    try write("print(\"\(escaped)\")\nerror(\"\(escaped)\")\n", to: home.path + "/patch.lua")
  }

  func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  private static let module = "0123456789ABCDEF0123456789ABCDEF0"
  static var line: String { text.replacing(#/[\n\r\u{2028}]/#.matchingSemantics(.unicodeScalar), with: "") }

  static let logLine = "2026-03-16 11:45:14.212 \u{1b}[31mred\u{1b}[0m \u{202e}evil\u{2066} \u{9b}2J \rover\u{8}\n"
  static let log = logLine + logLine

  private static func report(_ type: String) throws -> String {
    let body: [String: Any] = [
      "incident": text, "procName": text, "procPath": "/" + text, "pid": 7, "cpuType": text, "faultingThread": 0,
      "captureTime": "2026-03-16 11:45:14.2121 +0000", "osVersion": ["train": text, "build": text],
      "exception": ["type": type, "signal": text, "subtype": text, "codes": text],
      "termination": ["namespace": text, "indicator": text, "code": 6],
      "threads": [
        [
          "id": 77, "name": text, "queue": text, "triggered": true,
          "frames": [
            ["imageIndex": 0, "imageOffset": 16, "symbol": text, "symbolLocation": 3, "sourceFile": text]
          ],
        ] as [String: Any]
      ],
      "usedImages": [
        [
          "base": 4096, "size": 65536, "uuid": "12345678-0000-0000-0000-000000000000", "path": "/a/" + text,
          "name": text, "arch": text, "source": "P",
        ] as [String: Any]
      ],
    ]
    let head = try JSONSerialization.data(withJSONObject: ["bug_type": "309", "app_name": text, "name": text])
    return String(decoding: head + Data("\n".utf8) + (try JSONSerialization.data(withJSONObject: body)), as: UTF8.self)
  }

  private static let project = """
    // !$*UTF8*$!
    { archiveVersion = 1; classes = {}; objectVersion = 54; objects = {
      A1 = {isa = PBXProject; buildConfigurationList = A2; mainGroup = A5; targets = (A6, A7); };
      A2 = {isa = XCConfigurationList; buildConfigurations = (A3); };
      A3 = {isa = XCBuildConfiguration; buildSettings = {K = "\(line)"; }; name = "\(line)"; };
      A5 = {isa = PBXGroup; children = (A8); sourceTree = "<group>"; };
      A6 = {isa = PBXNativeTarget; name = "\(line)"; buildConfigurationList = A2; buildPhases = ("\(line)"); };
    }; rootObject = A1; }

    """
}

@Suite("Foreign text through the built command") struct ForeignTextTests {
  private static let files = Result { try HostileFiles() }

  /// The characters on a screen that are neither text nor colours of ours, and lines that pretend to be ours.
  private static func leaks(_ screen: String) -> [String] {
    let colour = #/\u{1b}\[[0-9;]*m/#.matchingSemantics(.unicodeScalar)
    let lineEnd = #/\r\n/#.matchingSemantics(.unicodeScalar)
    let text = screen.replacing(colour, with: "").replacing(lineEnd, with: "\n")
    let scalars = text.unicodeScalars.filter { scalar in
      scalar != "\n" && scalar != "\t"
        && [.control, .format, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
    }
    return scalars.map { "U+\(String($0.value, radix: 16))" }
      + text.split(separator: "\n").filter { $0.hasPrefix("error: fake") }.map(String.init)
  }

  private static var environment: [String: String] {
    get throws {
      let home = try files.get().home.path
      return ["MPAAS_HOME": home + "/home", "LC_ALL": "C", "MPAAS_LANG": "", "MPAAS_PAGER": "cat -u"]
    }
  }

  /// Runs a command on a terminal, without and with colours; `NAME` stands for the hostile path, `TEXT` for the text,
  /// `LINE` for it without line breaks.
  private func expectNoLeaks(_ line: [String]) throws {
    let files = try Self.files.get()
    let words = line.map {
      $0.replacing("NAME", with: files.name).replacing("TEXT", with: HostileFiles.text)
        .replacing("LINE", with: HostileFiles.line).replacing("HOME", with: files.home.path)
    }
    for colour in ["never", "always"] {
      let more = ["TERM": "xterm-256color", "NO_COLOR": colour == "never" ? "1" : ""]
      let seen = try Pty.run("mpaas", words, environment: Self.environment.merging(more) { $1 })
      #expect(Self.leaks(seen.output).isEmpty, "\(line) \(colour): \(seen.output)")
      #expect(colour == "always" || !seen.output.contains("\u{1b}"), "\(line)")
      // The text came, and was escaped, rather than left out.
      #expect(seen.output.contains(#/\\u\{(1b|202e|9b)\}|\\u00(1b|9b)|\\u202e/#), "\(line) \(colour): \(seen.output)")
    }
  }

  @Test(
    "a crash report steers no terminal, whatever its names have in them",
    arguments: [
      ["crash", "show", "HOME/reports/TEXT.ips"], ["crash", "show", "--json", "HOME/reports/TEXT.ips"],
      ["crash", "list", "HOME/reports"], ["crash", "symbolicate", "HOME/reports"], ["crash", "group", "HOME/reports"],
      ["crash", "group", "--json", "HOME/reports"], ["crash", "diff", "HOME/reports/TEXT.ips", "HOME/reports/b.ips"],
      ["crash", "convert", "--to", "apple", "HOME/reports/b.ips"],
      ["crash", "convert", "--to", "ips", "HOME/reports/b.ips"],
      ["crash", "convert", "--to", "html", "HOME/reports/b.ips"],
    ])
  func reports(line: [String]) throws {
    try expectNoLeaks(line)
  }

  @Test(
    "lines of a log, a property list, a project, names of functions and what a patch says steer none",
    arguments: [
      ["log", "cat", "NAME.log"], ["log", "cat", "--json", "NAME.log"], ["log", "search", "red", "NAME.log"],
      ["plist", "get", "NAME.plist"], ["plist", "get", "--json", "NAME.plist"],
      ["plist", "convert", "NAME.plist", "--to", "json", "--output", "-"],
      ["plist", "diff", "NAME.plist", "HOME/other.plist"], ["project", "list", "NAME.xcodeproj"],
      ["project", "check", "NAME.xcodeproj"], ["project", "cat", "NAME.xcodeproj"], ["symbols", "info", "NAME.sym"],
      ["symbols", "lookup", "--object", "NAME.sym", "0x1000"], ["hotpatch", "run", "HOME/patch.lua"],
      ["pinyin", "convert", "LINE"],
    ])
  func data(line: [String]) throws {
    try expectNoLeaks(line)
  }

  @Test(
    "an error that quotes what it was given steers none, and has no line that the text made",
    arguments: [
      ["TEXT"], ["crash", "TEXT"], ["--TEXT"], ["crash", "show", "NAME"], ["crash", "show", "NAME", "--json"],
      ["symbols", "add", "NAME"], ["symbols", "list", "TEXT"], ["plist", "get", "NAME"], ["explain", "TEXT"],
      ["log", "cat", "NAME"], ["hotpatch", "lint", "NAME"], ["plist", "get", "NAME.plist", "TEXT.a"],
    ])
  func errors(line: [String]) throws {
    try expectNoLeaks(line)
  }

  @Test("names that a server tells steer neither a list nor the dashboard", .tool("setsid"))
  func server() throws {
    let server = try NetServer()
    let body: [String: Any] = ["name": HostileFiles.line, "listen": "localhost:0", "upstream": "localhost:20001"]
    let text = String(decoding: try JSONSerialization.data(withJSONObject: body), as: UTF8.self)
    #expect(try server.ask("POST", "/proxies", text).status == 201)
    try expectNoLeaks(["net", "list", "--api", server.address])
    try expectNoLeaks(["net", "list", "--json", "--api", server.address])
    let session = try PtySession(
      "mpaas net top --api \(server.address) --interval 200ms", columns: 120, rows: 30,
      environment: ["MPAAS_HOME": server.home.path])
    try session.waitFor(#"> x\u{1b}]0;t"#)
    session.type("q")
    #expect(try session.end() == 0)
  }

  @Test("a pipe gets data as it is, and JSON with JSON's escapes")
  func pipes() throws {
    let files = try Self.files.get()
    func run(_ words: String...) throws -> String {
      let outcome = try Command.run("mpaas", words, environment: Self.environment)
      #expect(outcome.status == 0, "\(outcome.errors)")
      return outcome.output
    }
    #expect(try run("log", "cat", files.name + ".log") == HostileFiles.log)
    #expect(try run("plist", "get", files.name + ".plist", "k") == HostileFiles.text + "\n")
    let report = files.home.path + "/reports/b.ips"
    let written = files.name + ".written.ips"
    #expect(try run("crash", "convert", "--to", "ips", "--output", written, report) == written + "\n")
    let text = try run("plist", "get", "--json", files.name + ".plist", "k")
    #expect(!text.contains("\u{1b}"))
    #expect(!text.contains("\r"))
    let value = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
    #expect(value as? String == HostileFiles.text)
    // The same document comes to a terminal.
    let seen = try Pty.run(
      "mpaas", ["plist", "get", "--json", files.name + ".plist", "k"], environment: Self.environment)
    let shown = try JSONSerialization.jsonObject(with: Data(seen.output.utf8), options: .fragmentsAllowed)
    #expect(shown as? String == HostileFiles.text)
  }
}
