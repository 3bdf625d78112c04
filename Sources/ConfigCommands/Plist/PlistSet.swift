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
  struct Set: MPaaSCommand {
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

    func run(in context: Context) async throws -> EditedPlist {
      let path = try PropertyListPath(path)
      return try editing.edit(file, in: context) { file in
        let target = file.follow(path)
        // The last key may be new; what is missing before it is made only where that is asked for.
        if target.missing.count > 1 && !create, let part = target.missing.first {
          throw file.missing(part, in: target)
        }
        let old = target.missing.isEmpty ? target.value : nil
        let value = try content.value(value, inPlaceOf: old)
        guard let changed = file.root.setting(value, at: path.parts) else {
          throw file.missing(target.missing.first ?? .word(""), in: target)
        }
        return changed
      }
    }
  }

  /// `mpaas plist insert FILE PATH [VALUE]`: one value more in an array, or one key more in a dictionary.
  struct Insert: MPaaSCommand {
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

    func run(in context: Context) async throws -> EditedPlist {
      let path = try PropertyListPath(path)
      return try editing.edit(file, in: context) { try inserting(into: $0, path) }
    }

    private func inserting(into file: PropertyListFile, _ path: PropertyListPath) throws -> PropertyListValue {
      let target = file.follow(path)
      if target.missing.isEmpty, let values = target.value.values {
        let value = try content.value(value, inPlaceOf: values.last)
        guard let changed = file.root.inserting(value, into: target.steps, at: at) else {
          throw file.missing(.index(at ?? 0), in: target)
        }
        return changed
      }
      if at == nil, let last = path.parts.last {
        let parent = try file.target(PropertyListPath(Array(path.parts.dropLast())))
        if let values = parent.value.values {
          let value = try content.value(value, inPlaceOf: values.last)
          guard let index = Self.index(last, values.count),
            let changed = file.root.inserting(value, into: parent.steps, at: index)
          else { throw file.missing(last, in: parent) }
          return changed
        }
        if parent.value.members != nil, !target.missing.isEmpty {
          guard let changed = file.root.setting(try content.value(value, inPlaceOf: nil), at: path.parts) else {
            throw file.missing(last, in: parent)
          }
          return changed
        }
      }
      if let part = target.missing.first { throw file.missing(part, in: target) }
      throw Diagnostic(
        "plist-there-already", ["file": file.file, "path": PropertyListPath.text(target.steps)],
        at: file.place(of: target.value), exit: .negative)
    }

    private static func index(_ part: PropertyListPath.Part, _ count: Int) -> Int? {
      switch part {
      case .index(let index): index < 0 ? count + index : index
      case .word(let word): Int(word).map { $0 < 0 ? count + $0 : $0 }
      }
    }
  }

  /// `mpaas plist delete FILE PATH…`: values go away.
  struct Delete: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("delete", key: "plist.delete") }

    @Argument(help: .text("command.plist.file"), completion: .file())
    var file: String

    @Argument(help: .text("command.plist.delete.paths"))
    var paths: [String]

    @Flag(name: .customLong("ignore-missing"), help: .text("command.plist.delete.ignore-missing"))
    var ignoreMissing = false

    @OptionGroup var editing: PlistEditOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> EditedPlist {
      try editing.edit(file, in: context) { file in
        var steps: [[PropertyListStep]] = []
        for path in paths {
          let path = try PropertyListPath(path)
          if ignoreMissing, !file.follow(path).missing.isEmpty { continue }
          let target = try file.target(path)
          guard !target.steps.isEmpty else { throw Diagnostic("plist-root", ["file": file.file], exit: .usage) }
          steps.append(target.steps)
        }
        // From behind, so that indexes before them stay what they are.
        return steps.sorted(by: Self.isBehind).reduce(file.root) { $0.removing($1) }
      }
    }

    private static func isBehind(_ left: [PropertyListStep], _ right: [PropertyListStep]) -> Bool {
      for (one, other) in zip(left, right) where one != other {
        if case (.index(let first), .index(let second)) = (one, other) { return first > second }
        return PropertyListPath.text([one]) > PropertyListPath.text([other])
      }
      return left.count > right.count
    }
  }
}
