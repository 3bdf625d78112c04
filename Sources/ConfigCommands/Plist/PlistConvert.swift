import ArgumentParser
import CommandKit
import MPaaSConfig
import MPaaSSupport
import MPaaSTerminal

extension PlistCommand {
  /// `mpaas plist convert FILE… --to FORMAT`: property lists in another format.
  struct Convert: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("convert", key: "plist.convert") }

    @Argument(help: .text("command.plist.files"), completion: .file())
    var files: [String]

    @Option(help: .text("command.plist.convert.to"))
    var to: PropertyListFormat

    @Option(name: [.short, .long], help: .text("command.plist.convert.output", valueName: "file"), completion: .file())
    var output: String?

    @Flag(name: .customLong("in-place"), help: .text("command.plist.convert.in-place"))
    var inPlace = false

    @OptionGroup var reading: PlistReadOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> ConvertedPlists {
      if files.count > 1, !inPlace { throw Diagnostic("plist-convert-many", exit: .usage) }
      var converted = ConvertedPlists(format: to.rawValue)
      for path in files {
        let file = try reading.file(path, in: context)
        let bytes = try PropertyListFile.bytes(of: file.root, as: to, isTagged: reading.tagged, file: file.file)
        let target = inPlace && path != "-" ? path : output ?? "-"
        if target == "-" {
          bytes.withUnsafeBytes { context.terminal.data.writeBytes($0) }
          converted.isTold = true
        } else {
          try Bytes(bytes).write(to: target, mode: FileStatus(target)?.permissions ?? 0o644)
          converted.files.append(
            .init(file: target, from: file.format.rawValue, bytesBefore: file.bytes.count, bytes: bytes.count))
        }
      }
      return converted
    }
  }
}

/// Property lists that were converted.
struct ConvertedPlists: Presentable {
  struct File: Encodable, Sendable {
    let file: String
    let from: String
    let bytesBefore: Int
    let bytes: Int
  }

  let format: String
  var files: [File] = []
  var isTold = false

  private enum CodingKeys: String, CodingKey {
    case format, files
  }

  func document(_ catalogue: Catalogue) -> Document {
    Document(
      lines: files.map { file in
        let values = [
          "file": file.file, "from": file.from, "to": format, "before": ByteCount(UInt64(file.bytesBefore)).description,
          "after": ByteCount(UInt64(file.bytes)).description,
        ]
        return StyledText(catalogue.text("text.plist-converted", values))
      })
  }
}
