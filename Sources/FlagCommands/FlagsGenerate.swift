import ArgumentParser
import CommandKit
import MPaaSFlagTools
import MPaaSFlags
import MPaaSSupport
import MPaaSTerminal

extension FlagKeysSource.Access: ExpressibleByArgument {}

extension FlagsCommand {
  /// `mpaas flags generate FILE`: a Swift enumeration of the flags.
  struct Generate: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("generate", key: "flags.generate") }

    @Argument(help: .text("command.flags.file"), completion: .file(extensions: ["json"]))
    var file: String

    @Option(help: .text("command.flags.generate.output", valueName: "file"), completion: .file(extensions: ["swift"]))
    var output: String?

    @Option(name: .customLong("type"), help: .text("command.flags.generate.type", valueName: "name"))
    var type = "FlagKey"

    @Option(help: .text("command.flags.generate.access", valueName: "level"))
    var access = FlagKeysSource.Access.internal

    @Flag(help: .text("command.flags.generate.force"))
    var force = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
      guard FlagKeysSource.isTypeName(type) else {
        throw ValidationError(Catalogue.current.text("text.flags-type-name"))
      }
    }

    func run(in context: Context) async throws -> GeneratedFlagKeys {
      let source = FlagKeysSource(try context.flagState(at: file), type: type, access: access)
      guard let output, output != "-" else {
        return GeneratedFlagKeys(file: nil, flags: source.count, source: source.text)
      }
      if let before = try? Bytes.mapping(output), before.count > 0 {
        let text = before.text
        if text == source.text { return GeneratedFlagKeys(file: output, flags: source.count, source: nil) }
        // The command may replace a file that it wrote itself.
        guard force || text.hasPrefix("// Written by `mpaas flags generate`") else {
          throw FlagError(.outputExists, ["file": output], at: .file(output))
        }
      }
      try Bytes(Array(source.text.utf8)).write(to: output)
      return GeneratedFlagKeys(file: output, flags: source.count, source: nil)
    }
  }
}

/// The enumeration that was written.
struct GeneratedFlagKeys: Presentable {
  /// The file; nil where it was to be printed.
  let file: String?
  let flags: Int
  /// The source, where it was not written to a file.
  let source: String?

  func document(_ catalogue: Catalogue) -> Document {
    if let source {
      return Document(
        lines: source.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map {
          StyledText(verbatim: String($0))
        })
    }
    let values = ["file": file ?? "", "flags": "\(flags)"]
    return [.line(StyledText(catalogue.text("text.flags-written", values), .good))]
  }
}
