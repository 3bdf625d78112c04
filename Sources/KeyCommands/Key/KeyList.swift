import ArgumentParser
import CommandKit
import MPaaSSupport
import MPaaSTerminal
import MPaaSTrust
import MPaaSTrustTools

extension KeyCommand {
  /// `mpaas key list`: the own keys, and those of others that are trusted.
  struct List: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("list", key: "key.list") }

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> KeyTable {
      let keys = try context.keys.listing { context.terminal.warning($0.diagnostic) }
      let own = keys.own.map { KeyView($0.record, isTrusted: false, isEncrypted: $0.isEncrypted, at: context.now()) }
      let trusted = keys.trusted.map { KeyView($0, isTrusted: true, at: context.now()) }
      return KeyTable(keys: own + trusted)
    }
  }

  /// `mpaas key show --name N`: all that is known of a key.
  struct Show: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("show", key: "key.show") }

    @Option(help: .text("command.key.name", valueName: "name"), completion: .allKeyNames)
    var name: String

    @Flag(help: .text("command.key.trusted"))
    var trusted = false

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> KeyDetails {
      let (record, isTrusted) = try context.keys.anyRecord(name, isTrusted: trusted)
      let isEncrypted = isTrusted ? nil : try context.keys.sealedKey(name).isEncrypted
      return KeyDetails(key: KeyView(record, isTrusted: isTrusted, isEncrypted: isEncrypted, at: context.now()))
    }
  }
}

/// Keys in a table.
struct KeyTable: Presentable {
  let keys: [KeyView]

  func document(_ catalogue: Catalogue) -> Document {
    guard !keys.isEmpty else { return [.line(StyledText(catalogue.text("text.key-none")))] }
    let columns: [Table.Column] = [
      .init(catalogue.text("text.key-name")), .init(catalogue.text("text.key-kind")),
      .init(catalogue.text("text.key-roles")), .init(catalogue.text("text.key-state")),
      .init(catalogue.text("text.key-owner"), isOptional: true), .init(catalogue.text("text.key-fingerprint")),
    ]
    let rows = keys.map { key in
      [
        StyledText(key.name, .emphasis), StyledText(key.kind), StyledText(key.roleText(catalogue)),
        key.styledState(catalogue),
        StyledText(catalogue.text(key.isTrusted ? "text.key-owner-other" : "text.key-owner-self")),
        StyledText(key.fingerprint),
      ]
    }
    return [.table(Table(columns: columns, rows: rows))]
  }
}
