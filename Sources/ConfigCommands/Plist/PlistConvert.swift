import ArgumentParser
import CommandKit
import MPaaSConfig
import MPaaSSupport
import MPaaSTerminal

extension PlistCommand {
  /// `mpaas plist convert FILE… --to FORMAT`: property lists in another format.
  struct Convert: StreamingCommand {
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

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      if files.count > 1, !inPlace { throw Diagnostic("plist-convert-many", exit: .usage) }
      let conversion = PropertyListConversion(to: to, isTagged: reading.tagged, isInPlace: inPlace, output: output)
      var converted: [PropertyListConversion.Converted] = []
      for path in files {
        let list = try reading.file(path, in: context)
        if let file = try conversion.convert(list, at: path, output: results.put(bytes:)) { converted.append(file) }
      }
      // A list on standard output is the result itself.
      if converted.count == files.count { try results.put(ConvertedPlists(converted, format: to)) }
      return .done
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
  let files: [File]

  init(_ converted: [PropertyListConversion.Converted], format: PropertyListFormat) {
    self.format = format.rawValue
    files = converted.map {
      File(file: $0.file, from: $0.from.rawValue, bytesBefore: $0.bytesBefore, bytes: $0.bytes)
    }
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
