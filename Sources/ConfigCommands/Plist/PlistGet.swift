import ArgumentParser
import CommandKit
import MPaaSConfig
import MPaaSSupport
import MPaaSTerminal

extension PlistCommand {
  /// `mpaas plist get FILE [PATH]`: a value of a property list.
  struct Get: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("get", key: "plist.get") }

    @Argument(help: .text("command.plist.file"), completion: .file())
    var file: String

    @Argument(help: .text("command.plist.get.path"))
    var path = ""

    @Flag(name: .customLong("type"), help: .text("command.plist.get.type"))
    var type = false

    @Option(name: .customLong("as"), help: .text("command.plist.get.as", valueName: "format"))
    var format: PropertyListFormat?

    @Option(name: .customLong("default"), help: .text("command.plist.get.default", valueName: "text"))
    var fallback: String?

    @OptionGroup var reading: PlistReadOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      let path = try PropertyListPath(path)
      let file = try reading.file(file, in: context)
      let isJSON = context.terminal.settings.isJSON
      if let fallback, !file.follow(path).missing.isEmpty {
        results.put(text: (isJSON ? try json(.string(fallback), file) : fallback) + "\n")
        return .done
      }
      let value = try file.target(path).value
      if let format {
        try PropertyListFile.bytes(of: value, as: format, isTagged: reading.tagged, file: file.file)
          .withUnsafeBytes(results.put(bytes:))
      } else if type {
        let name = PropertyListType(of: value).rawValue
        results.put(text: (isJSON ? try json(.string(name), file) : name) + "\n")
      } else if isJSON {
        results.put(text: try json(value, file) + "\n")
      } else {
        let text = try value.plainText ?? value.json(isTagged: reading.tagged, isPretty: true, file: file.file)
        results.put(text: text + "\n")
      }
      return .done
    }

    private func json(_ value: PropertyListValue, _ file: PropertyListFile) throws -> String {
      try value.json(isTagged: reading.tagged, isPretty: false, file: file.file)
    }
  }
}
