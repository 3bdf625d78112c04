import Foundation
import MPaaSTestSupport
import Testing

/// The ways of text to a terminal: all lead through the one function that escapes what is foreign (`VisibleText`).
@Suite("The output of the command") struct OutputTests {
  /// The Swift files of the command and of what it is made of; the tools of the build and the sample app speak for
  /// themselves.
  private static func sources() throws -> [(file: String, text: String)] {
    let sources = Fixture.package.appending(path: "Sources")
    let others = ["CatalogueTool/", "RuntimeTableTool/", "OrderBook/"]
    let files = try FileManager.default.subpathsOfDirectory(atPath: sources.path).filter { file in
      file.hasSuffix(".swift") && !others.contains { file.hasPrefix($0) }
    }
    return try files.sorted().map { ($0, try String(contentsOf: sources.appending(path: $0), encoding: .utf8)) }
  }

  /// Expects a pattern in the named files and in no other.
  private static func expect(_ pattern: Regex<some Any>, onlyIn allowed: Set<String>, _ instead: String) throws {
    let all = try sources()
    #expect(all.count > 500)
    let found = all.filter { $0.text.contains(pattern) }.map(\.file)
    for file in found { #expect(allowed.contains(file), "\(file) must not write by itself: \(instead)") }
    #expect(allowed.isSubset(of: found), "a file that does not write any more is to be left out here")
  }

  @Test("only the output streams and the terminals write to the standard streams")
  func standardStreams() throws {
    try Self.expect(
      #/OutputStream\.standard(?:Output|Error)|FileHandle\.standard(?:Output|Error)|STD(?:OUT|ERR)_FILENO/#,
      // A handler of signals shows the question of a passphrase again, which was rendered before.
      onlyIn: ["CommandKit/Program/Program.swift", "MPaaSTerminal/Output/TerminalGuard.swift"],
      "use the terminal of the context")
    try Self.expect(
      #/OutputStream\(\s*isTerminal|: OutputStream = \.standard/#,
      onlyIn: [
        "MPaaSTerminal/Output/OutputStream.swift", "MPaaSTerminal/Output/OutputStream+Escaping.swift",
        "MPaaSTerminal/Output/Pager.swift", "MPaaSTerminal/Output/Terminal.swift",
      ], "use the terminal of the context")
    // What an app has in it writes for itself, with a number of its own.
    try Self.expect(
      #/[wW]rite\((?:1|2),|TerminalDevice\(|device\.write\(/#,
      onlyIn: [
        "MPaaSFramework/Console/StandardStreams.swift", "NetworkCommands/Net/TopSession.swift",
        "MPaaSTerminal/Picker/Terminal+Picker.swift",
      ], "use the terminal of the context")
  }

  @Test("nothing prints with the functions of Swift and C")
  func printing() throws {
    let call = #/(?m)(^|[^.\w`])(print|debugPrint|dump|puts|putchar|printf|fputs|perror)\(/#
    for (file, text) in try Self.sources() {
      let code = text.split(separator: "\n").filter { !$0.contains(#/^\s*\/\//#) && !$0.contains("func ") }
      // Functions with these names of the file's own type, or of one that it extends.
      let own = text.contains(#/func (print|dump)\(|extension (RustName|CxxPrinter)/#)
      if !own { #expect(!code.contains { $0.contains(call) }, "\(file) prints past the terminal") }
    }
  }

  @Test("a command asks the streams of its terminal what they are, and writes to its data only")
  func commands() throws {
    // The printer of logs makes a terminal of it, and a pager takes its place.
    let makers: Set<String> = ["LogCommands/Log/LogPrinter.swift", "LogCommands/Log/LogCat.swift"]
    let stream = #/terminal\.(?:output|errors)(?!\w|\.isTerminal|\.width)/#
    for (file, text) in try Self.sources() where file.contains(#/^\w+(?:Commands|Kit)\//#) && !makers.contains(file) {
      #expect(!text.contains(stream), "\(file) must write to terminal.data")
    }
  }

  @Test("lines for a screen become bytes only where they are made visible")
  func rendering() throws {
    try Self.expect(
      #/[sS]tyle\.render\(/#,
      onlyIn: [
        "NetworkCommands/Net/TopSession.swift", "MPaaSTerminal/Output/Terminal.swift",
        "MPaaSTerminal/Output/Terminal+Secret.swift", "MPaaSTerminal/Picker/Terminal+Picker.swift",
      ], "print a document")
    for (file, text) in try Self.sources() where file.contains("TopSession") || file.contains("Terminal+Picker") {
      #expect(text.contains(#/render\(\$0\.visible/#), "\(file)")
    }
  }
}
