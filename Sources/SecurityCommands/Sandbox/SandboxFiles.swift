import ArgumentParser
import CommandKit
import MPaaSSecurityTools
import MPaaSSupport
import MPaaSTerminal

extension SandboxCommand {
  /// `mpaas sandbox ls APP [PATH]`: the files of an app's data.
  struct List: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("ls", key: "sandbox.ls") }

    @Argument(help: .text("command.sandbox.app"), completion: .appData)
    var app: String

    @Argument(help: .text("command.sandbox.path"))
    var path = ""

    @OptionGroup var options: SandboxOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> SandboxEntries {
      try options.with(app, in: context) { SandboxEntries(folder: $0.folder, entries: try $0.entries(path)) }
    }
  }

  /// `mpaas sandbox pull APP PATH [TO]`: files of an app's data, copied here.
  struct Pull: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("pull", key: "sandbox.pull") }

    @Argument(help: .text("command.sandbox.app"), completion: .appData)
    var app: String

    @Argument(help: .text("command.sandbox.pull.path"))
    var path: String

    @Argument(help: .text("command.sandbox.pull.to"), completion: .file())
    var to = "."

    @Flag(name: .long, help: .text("command.sandbox.force"))
    var force = false

    @OptionGroup var options: SandboxOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> SandboxCopy {
      try options.with(app, in: context) { SandboxCopy(try $0.pull(path, to: to, replaces: force)) }
    }
  }

  /// `mpaas sandbox push APP FILE [PATH]`: a file or folder, copied into an app's data.
  struct Push: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("push", key: "sandbox.push") }

    @Argument(help: .text("command.sandbox.app"), completion: .appData)
    var app: String

    @Argument(help: .text("command.sandbox.push.file"), completion: .file())
    var file: String

    @Argument(help: .text("command.sandbox.push.path"))
    var path = ""

    @Flag(name: .long, help: .text("command.sandbox.force"))
    var force = false

    @OptionGroup var options: SandboxOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> SandboxCopy {
      try options.with(app, in: context) { SandboxCopy(try $0.push(file, to: path, replaces: force)) }
    }
  }
}

/// The entries of a folder of an app's data.
struct SandboxEntries: Presentable {
  let folder: String
  let entries: [AppData.Entry]

  func encode(to encoder: any Encoder) throws {
    let list = entries.map { entry -> JSONValue in
      .object([
        "name": .string(entry.name), "folder": .bool(entry.isFolder), "size": JSONValue(Int(clamping: entry.size)),
        "modified": JSONValue(Int(entry.modified)),
      ])
    }
    try JSONValue.object(["folder": .string(folder), "entries": .array(list)]).encode(to: encoder)
  }

  func document(_ catalogue: Catalogue) -> Document {
    guard !entries.isEmpty else { return [.line(StyledText(catalogue.text("text.sandbox-empty"), .faint))] }
    let columns: [Table.Column] = [
      .init(catalogue.text("text.sandbox-name")), .init(catalogue.text("text.sandbox-size"), isNumeric: true),
    ]
    let rows = entries.map { entry -> [StyledText] in
      let name = entry.isFolder ? entry.name + "/" : entry.name
      return [StyledText(name, .path), StyledText(entry.isFolder ? "" : ByteCount(entry.size).description)]
    }
    return [.table(Table(columns: columns, rows: rows))]
  }
}

/// The result of a copy.
struct SandboxCopy: Presentable {
  private let copied: CopiedFiles

  init(_ copied: CopiedFiles) { self.copied = copied }

  func encode(to encoder: any Encoder) throws {
    try JSONValue.object([
      "target": .string(copied.target), "files": JSONValue(copied.files),
      "bytes": JSONValue(Int(clamping: copied.bytes)),
    ]).encode(to: encoder)
  }

  func document(_ catalogue: Catalogue) -> Document {
    let values = [
      "target": copied.target, "count": "\(copied.files)", "size": ByteCount(copied.bytes).description,
    ]
    return [.line(StyledText(catalogue.text("text.sandbox-copied", values), .good))]
  }
}
