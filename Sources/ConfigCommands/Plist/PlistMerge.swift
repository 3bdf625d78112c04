import ArgumentParser
import CommandKit
import MPaaSConfig
import MPaaSSupport
import MPaaSTerminal

extension PlistCommand {
  /// `mpaas plist merge FILE OTHER…`: what other property lists say is put into one.
  struct Merge: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("merge", key: "plist.merge") }

    @Argument(help: .text("command.plist.file"), completion: .file())
    var file: String

    @Argument(help: .text("command.plist.merge.others", valueName: "other"), completion: .file())
    var others: [String]

    @Option(help: .text("command.plist.merge.arrays"))
    var arrays = PropertyListMerge.Arrays.replace

    @Option(help: .text("command.plist.merge.prefer"))
    var prefer = PropertyListMerge.Preference.other

    @Option(help: .text("command.plist.merge.at", valueName: "path"))
    var at: String?

    @OptionGroup var editing: PlistEditOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      var merge = PropertyListMerge()
      merge.arrays = arrays
      merge.preference = prefer
      let path = try PropertyListPath(at ?? "")
      let values = try others.map { other in
        try PlistReadOptions.reading(other, tagged: editing.reading.tagged, context)
      }
      return try editing.edit(file, in: context, results) { file in
        let target = try file.target(path)
        let merged = values.reduce(target.value) { merge.merge($1, into: $0) }
        return file.root.setting(merged, at: path.parts) ?? file.root
      }
    }
  }
}

extension PlistReadOptions {
  /// The value of a file whose format its content tells.
  static func reading(_ path: String, tagged: Bool, _ context: Context) throws -> PropertyListValue {
    let bytes = path == "-" ? try standardInput() : try Bytes.mapping(path).array
    return try PropertyListFile(bytes, file: path, isTagged: tagged).root
  }
}
