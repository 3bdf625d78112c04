import ArgumentParser
import CommandKit
import MPaaSConfig
import MPaaSSupport
import MPaaSTerminal

/// The value that an edit writes.
struct PlistValueOptions: ParsableArguments {
  @Option(help: .text("command.plist.type", valueName: "type"))
  var type: PropertyListType?

  @Option(
    name: .customLong("value"), parsing: .unconditional, help: .text("command.plist.value-option", valueName: "text"))
  var optionalValue: String?

  @Option(
    name: .customLong("value-file"), help: .text("command.plist.value-file", valueName: "file"), completion: .file())
  var valueFile: String?

  /// The value of the words given, of the type that was named, else of the one that stands there, else a string.
  func value(_ text: String?, inPlaceOf old: PropertyListValue?) throws -> PropertyListValue {
    let type = type ?? old.map { PropertyListType(of: $0) } ?? .string
    if let valueFile {
      let bytes = try Bytes.reading(valueFile).array
      if type == .data { return .data(bytes) }
      return try type.value(of: String(decoding: bytes, as: UTF8.self))
    }
    guard let text = text ?? optionalValue ?? (type == .array || type == .dict ? "" : nil) else {
      throw Diagnostic("plist-value-needed", ["type": type.rawValue], exit: .usage)
    }
    return try type.value(of: text)
  }
}

extension PlistCommand {
  /// `mpaas plist set FILE PATH [VALUE]`: a value is put where a path leads.
  struct Set: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("set", key: "plist.set") }

    @Argument(help: .text("command.plist.file"), completion: .file())
    var file: String

    @Argument(help: .text("command.plist.path"))
    var path: String

    @Argument(help: .text("command.plist.value"))
    var value: String?

    @Flag(help: .text("command.plist.set.create"))
    var create = false

    @OptionGroup var content: PlistValueOptions
    @OptionGroup var editing: PlistEditOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      let path = try PropertyListPath(path)
      return try editing.edit(file, in: context, results) { file in
        try file.setting(at: path, creates: create) { try content.value(value, inPlaceOf: $0) }
      }
    }
  }

  /// `mpaas plist insert FILE PATH [VALUE]`: one value more in an array, or one key more in a dictionary.
  struct Insert: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("insert", key: "plist.insert") }

    @Argument(help: .text("command.plist.file"), completion: .file())
    var file: String

    @Argument(help: .text("command.plist.insert.path"))
    var path: String

    @Argument(help: .text("command.plist.value"))
    var value: String?

    @Option(parsing: .unconditional, help: .text("command.plist.insert.at", valueName: "index"))
    var at: Int?

    @OptionGroup var content: PlistValueOptions
    @OptionGroup var editing: PlistEditOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      let path = try PropertyListPath(path)
      return try editing.edit(file, in: context, results) { file in
        try file.inserting(at: path, index: at) { try content.value(value, inPlaceOf: $0) }
      }
    }
  }

  /// `mpaas plist delete FILE PATH…`: values go away.
  struct Delete: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("delete", key: "plist.delete") }

    @Argument(help: .text("command.plist.file"), completion: .file())
    var file: String

    @Argument(help: .text("command.plist.delete.paths"))
    var paths: [String]

    @Flag(name: .customLong("ignore-missing"), help: .text("command.plist.delete.ignore-missing"))
    var ignoreMissing = false

    @OptionGroup var editing: PlistEditOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      try editing.edit(file, in: context, results) { file in
        try file.removing(paths, ignoresMissing: ignoreMissing)
      }
    }
  }
}
