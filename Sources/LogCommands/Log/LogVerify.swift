import ArgumentParser
import CommandKit
import MPaaSLogReading
import MPaaSLogUpload
import MPaaSLogs
import MPaaSSupport
import MPaaSTerminal

extension LogCommand {
  /// `mpaas log verify FILE…`: whether every byte is what was written.
  struct Verify: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("verify", key: "log.verify") }

    @Argument(help: .text("command.log.verify.files"), completion: .file())
    var files: [String]

    @OptionGroup var keys: LogKeyOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> LogVerificationView {
      let keys = try keys.keys(in: context)
      return LogVerificationView(
        verification: try LogVerification(files, keys: keys, temporary: context.directories.temporary))
    }
  }
}

/// The state of each file.
struct LogVerificationView: Presentable {
  let verification: LogVerification

  private var files: [LogPackCheck.File] { verification.files }
  private var packs: [LogPackCheck] { verification.packs }
  private var isWhole: Bool { verification.isWhole }
  var exit: ExitStatus { isWhole ? .done : .negative }

  func encode(to encoder: any Encoder) throws {
    var object: JSONValue.Object = ["whole": .bool(isWhole), "files": .array(files.map(Self.json))]
    if !packs.isEmpty { object["packs"] = .array(packs.map(Self.json)) }
    try JSONValue.object(object).encode(to: encoder)
  }

  private static func json(_ pack: LogPackCheck) -> JSONValue {
    [
      "path": .string(pack.path), "whole": .bool(pack.isWhole),
      "faults": .array(
        pack.faults.map { fault in
          ["code": .string(fault.code.id.name), "file": fault.values["file"].map { .string($0) } ?? .null]
        }),
    ]
  }

  private static func json(_ file: LogPackCheck.File) -> JSONValue {
    var object: JSONValue.Object = [
      "path": .string(file.path), "format": .string(file.format.rawValue), "size": JSONValue(Int(clamping: file.size)),
      "whole": .bool(file.isWhole),
    ]
    if let problem = file.problem { object["problem"] = .string(problem.code.id.name) }
    if let check = file.check { object.merge(json(check)) { $1 } }
    return .object(object)
  }

  private static func json(_ check: LogCheck) -> JSONValue.Object {
    func range(_ range: Range<Int>, _ reason: String) -> JSONValue.Object {
      ["from": JSONValue(range.lowerBound), "to": JSONValue(range.upperBound), "reason": .string(reason)]
    }
    let damaged = check.damaged.map { damage -> JSONValue in
      var object = range(damage.range, damage.reason)
      object["block"] = JSONValue(Int(clamping: damage.number))
      return .object(object)
    }
    let missing = check.missing.map { missing -> JSONValue in
      [
        "from": JSONValue(Int(clamping: missing.sequences.lowerBound)),
        "to": JSONValue(Int(clamping: missing.sequences.upperBound)),
      ]
    }
    return [
      "type": check.type.map { .string($0.rawValue) } ?? .null, "parts": JSONValue(check.parts),
      "blocks": JSONValue(check.blocks), "records": JSONValue(check.records),
      "encrypted": .bool(check.isEncrypted), "content_checked": .bool(check.looksInside),
      "gaps": .array(check.gaps.map { .object(range($0.range, $0.reason.rawValue)) }), "damaged": .array(damaged),
      "missing": .array(missing),
    ]
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    for file in files { Self.describe(file, catalogue, &document) }
    for pack in packs {
      for fault in pack.faults {
        document.line(StyledText(catalogue.sentence(fault.code.id.name, fault.values), .bad))
      }
      if pack.isWhole {
        let values = ["path": pack.path, "count": String(pack.files.count)]
        document.line(StyledText(catalogue.text("text.log-pack-whole", values), .good))
      }
    }
    return document
  }

  private static func describe(_ file: LogPackCheck.File, _ catalogue: Catalogue, _ document: inout Document) {
    if let problem = file.problem {
      document.line(StyledText(catalogue.sentence(problem.code.id.name, problem.values), .bad))
    }
    guard let check = file.check else {
      if file.problem == nil {
        document.line(StyledText(catalogue.text("text.log-pack-unchanged", ["path": file.path]), .good))
      }
      return
    }
    let values = ["path": file.path, "blocks": String(check.blocks), "records": String(check.records)]
    document.line(
      StyledText(
        catalogue.text(check.isWhole ? "text.log-whole" : "text.log-damaged", values), check.isWhole ? .good : .bad))
    func detail(_ key: String, _ values: [String: String]) {
      document.line(StyledText("  " + catalogue.text(key, values)))
    }
    func places(_ range: Range<Int>) -> [String: String] {
      ["from": String(range.lowerBound), "to": String(range.upperBound)]
    }
    for gap in check.gaps {
      detail(gap.reason == .torn ? "text.log-gap-torn" : "text.log-gap-damaged", places(gap.range))
    }
    for damage in check.damaged {
      let values = ["number": String(damage.number), "reason": damage.reason]
      detail("text.log-block-damaged", places(damage.range).merging(values) { $1 })
    }
    for missing in check.missing {
      let (first, last) = (missing.sequences.lowerBound, missing.sequences.upperBound - 1)
      detail("text.log-missing", ["from": String(first), "to": String(last)])
    }
    if !check.looksInside { document.line(StyledText("  " + catalogue.text("text.log-not-opened"), .warning)) }
  }
}
