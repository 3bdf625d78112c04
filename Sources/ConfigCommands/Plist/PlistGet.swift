import ArgumentParser
import CommandKit
import MPaaSConfig
import MPaaSSupport
import MPaaSTerminal

extension PlistCommand {
  /// `mpaas plist get FILE [PATH]`: a value of a property list.
  struct Get: MPaaSCommand {
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

    func run(in context: Context) async throws -> Nothing {
      let path = try PropertyListPath(path)
      let file = try reading.file(file, in: context)
      let output = context.terminal.data
      if let fallback, !file.follow(path).missing.isEmpty {
        let text = context.terminal.settings.isJSON ? try json(.string(fallback), file) : fallback
        output.write(text + "\n")
        return Nothing()
      }
      let value = try file.target(path).value
      if let format {
        let bytes = try PropertyListFile.bytes(of: value, as: format, isTagged: reading.tagged, file: file.file)
        bytes.withUnsafeBytes { output.writeBytes($0) }
      } else if type {
        let name = PropertyListType(of: value).rawValue
        output.write((context.terminal.settings.isJSON ? try json(.string(name), file) : name) + "\n")
      } else if context.terminal.settings.isJSON {
        output.write(try json(value, file) + "\n")
      } else {
        let text = try value.plainText ?? value.json(isTagged: reading.tagged, isPretty: true, file: file.file)
        output.write(text + "\n")
      }
      return Nothing()
    }

    private func json(_ value: PropertyListValue, _ file: PropertyListFile) throws -> String {
      try value.json(isTagged: reading.tagged, isPretty: false, file: file.file)
    }
  }
}
