import Foundation
import MPaaSTestSupport
import Testing

/// The ways of text to a terminal: all lead through the one function that escapes what is foreign (`VisibleText`).
@Suite("The output of the command") struct OutputTests {
  /// The Swift files of the command and of what it is made of; the tools of the build and the sample app speak for
  /// themselves.
  private static let sources = PackageSource.all.filter { source in
    !["CatalogueTool/", "DAOTool/", "FlagKeysTool/", "RuntimeTableTool/", "OrderBook/"].contains {
      source.file.hasPrefix($0)
    }
  }

  /// Expects a pattern in the named files and in no other.
  ///
  /// - Parameter words: One of them stands wherever the pattern does.
  private static func expect(
    _ pattern: Regex<some Any>, with words: [String], onlyIn allowed: Set<String>, _ instead: String
  ) {
    #expect(sources.count > 500)
    let found = sources.filter { $0.has(words) && $0.text.contains(pattern) }.map(\.file)
    for file in found { #expect(allowed.contains(file), "\(file) must not write by itself: \(instead)") }
    #expect(allowed.isSubset(of: found), "a file that does not write any more is to be left out here")
  }

  @Test("only the output streams and the terminals write to the standard streams")
  func standardStreams() {
    Self.expect(
      #/OutputStream\.standard(?:Output|Error)|FileHandle\.standard(?:Output|Error)|STD(?:OUT|ERR)_FILENO/#,
      with: [".standard", "_FILENO"],
      // A handler of signals shows the question of a passphrase again, which was rendered before.
      onlyIn: ["CommandKit/Program/Program.swift", "MPaaSTerminal/Output/TerminalGuard.swift"],
      "use the terminal of the context")
    Self.expect(
      #/OutputStream\(\s*isTerminal|: OutputStream = \.standard/#, with: ["OutputStream"],
      onlyIn: [
        "MPaaSTerminal/Output/OutputStream.swift", "MPaaSTerminal/Output/OutputStream+Escaping.swift",
        "MPaaSTerminal/Output/Pager.swift", "MPaaSTerminal/Output/Terminal.swift",
      ], "use the terminal of the context")
    // A library inside an app writes for itself, with a number of its own.
    Self.expect(
      #/[wW]rite\((?:1|2),|TerminalDevice\(|device\.write\(/#,
      with: ["rite(1,", "rite(2,", "TerminalDevice(", "device.write("],
      onlyIn: [
        "MPaaSFramework/Console/StandardStreams.swift", "MPaaSPerformance/Check/Check.swift",
        "NetworkCommands/Net/TopSession.swift", "PerfCommands/Watch/WatchScreen.swift",
        "MPaaSTerminal/Picker/Terminal+Picker.swift",
      ], "use the terminal of the context")
  }

  @Test("nothing prints with the functions of Swift and C")
  func printing() {
    let call = #/(?m)(^|[^.\w`])(print|debugPrint|dump|puts|putchar|printf|fputs|perror)\(/#
    let words = ["print(", "Print(", "dump(", "puts(", "putchar(", "printf(", "perror("]
    for source in Self.sources {
      let code = source.lines(with: words).filter {
        !$0.drop { $0 == " " }.hasPrefix("//") && !$0.hasBytes(of: "func ")
      }
      // Functions with these names of the file's own type, or of one that it extends.
      let own = source.has(["func print(", "func dump(", "extension RustName", "extension CxxPrinter"])
      if !own { #expect(!code.contains { $0.contains(call) }, "\(source.file) prints past the terminal") }
    }
  }

  @Test("a command asks the streams of its terminal what they are; its results are printed for it")
  func commands() {
    let stream = #/terminal\.(?:output|errors)(?!\w|\.isTerminal|\.width)|terminal\.(?:print|data|results)(?!\w)/#
    let words = ["terminal.output", "terminal.errors", "terminal.print", "terminal.data", "terminal.results"]
    let printers: Set<String> = [
      "CommandKit/Program/MPaaSCommand.swift", "CommandKit/Program/Program.swift",
      "CommandKit/Program/StreamingCommand.swift",
      "MPaaSServing/Program/ServingProgram.swift",
    ]
    for source in Self.sources where source.isOfCommands && !printers.contains(source.file) && source.has(words) {
      #expect(!source.text.contains(stream), "\(source.file) must return its result, or put it into its sink")
    }
  }

  @Test("lines for a screen become bytes only where they are made visible")
  func rendering() {
    Self.expect(
      #/[sS]tyle\.render\(/#, with: ["tyle.render("],
      onlyIn: [
        "NetworkCommands/Net/TopSession.swift", "PerfCommands/Watch/WatchScreen.swift",
        "MPaaSTerminal/Output/Terminal.swift",
        "MPaaSTerminal/Output/Terminal+Secret.swift", "MPaaSTerminal/Picker/Terminal+Picker.swift",
      ], "print a document")
    for source in Self.sources
    where source.has(["struct TopSession", "struct WatchScreen", "extension Terminal {\n  /// Lets a person pick"]) {
      #expect(source.has(["render($0.visible"]), "\(source.file)")
    }
  }
}

extension PackageSource {
  /// Tells whether it belongs to the commands or to what all of them have.
  var isOfCommands: Bool {
    let target = file.prefix { $0 != "/" }
    return target.hasSuffix("Commands") || target.hasSuffix("Kit") || target == "MPaaSServing"
  }
}
