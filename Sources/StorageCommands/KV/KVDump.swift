import ArgumentParser
import CommandKit
import MPaaSStorage
import MPaaSSupport
import MPaaSTerminal

extension KVCommand {
  /// `mpaas kv dump FILE`: all values.
  struct Dump: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("dump", key: "kv.dump") }

    @OptionGroup var file: KVFileOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      let isJSON = context.terminal.settings.isJSON
      for item in try file.reader().items() {
        results.put(text: (isJSON ? Self.json(item) : Self.text(item, context.catalogue)) + "\n")
      }
      return .done
    }

    private static func json(_ item: KeyValueStore.Item) -> String {
      var members: [String: JSONValue] = [
        "business": .string(item.business), "key": .string(item.key),
        "value": item.value?.json ?? .object(["$encrypted": .bool(true)]),
      ]
      if item.isPurgeable { members["purgeable"] = .bool(true) }
      if item.expiry != 0 { members["expiry"] = JSONValue(item.expiry) }
      return JSONValue.object(members).line
    }

    private static func text(_ item: KeyValueStore.Item, _ catalogue: Catalogue) -> String {
      let value = item.value?.text ?? catalogue.text("text.kv-encrypted")
      return [item.business, item.key, value].joined(separator: "\t")
    }
  }

  /// `mpaas kv verify FILE`: whether all records are whole.
  struct Verify: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("verify", key: "kv.verify") }

    @OptionGroup var file: KVFileOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> KVVerification {
      KVVerification(try file.reader().report)
    }
  }
}

/// The damage of a file.
struct KVVerification: Presentable {
  let records: Int
  let keys: Int
  let damages: Int
  let damagedBytes: UInt64
  let tornBytes: UInt64
  let headerRepaired: Bool
  let whole: Bool

  init(_ report: KeyValueReport) {
    (records, keys, damages) = (report.records, report.keys, report.damages)
    (damagedBytes, tornBytes) = (report.damagedBytes, report.tornBytes)
    (headerRepaired, whole) = (report.isHeaderRepaired, report.isWhole)
  }

  var exit: ExitStatus { whole ? .done : .negative }

  func document(_ catalogue: Catalogue) -> Document {
    let values = [
      "records": "\(records)", "keys": "\(keys)", "damages": "\(damages)", "bytes": "\(damagedBytes)",
      "torn": "\(tornBytes)",
    ]
    var document = Document()
    document.line(
      StyledText(catalogue.text(whole ? "text.kv-whole" : "text.kv-damaged", values), whole ? .good : .bad))
    if tornBytes > 0 { document.line(StyledText(catalogue.text("text.kv-torn", values))) }
    if headerRepaired { document.line(StyledText(catalogue.text("text.kv-header"), .warning)) }
    return document
  }
}
