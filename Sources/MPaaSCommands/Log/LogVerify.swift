import ArgumentParser
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

    func run(in context: Context) async throws -> LogVerification {
      let keys = try keys.keys(in: context)
      let paths = files.flatMap { path in
        FileStatus(path)?.kind == .folder ? LogFolder(path).files.map(\.path) : [path]
      }
      return LogVerification(
        files: try paths.map { path in
          LogVerification.File(path: path, check: try LogCheck(try Bytes.mapping(path), path: path, keys: keys))
        })
    }
  }
}

/// What was found in each file.
struct LogVerification: Presentable {
  struct File: Sendable {
    let path: String
    let check: LogCheck
  }

  let files: [File]

  private var isWhole: Bool { files.allSatisfy(\.check.isWhole) }
  var exit: ExitStatus { isWhole ? .done : .negative }

  func encode(to encoder: any Encoder) throws {
    try JSONValue.object(["whole": .bool(isWhole), "files": .array(files.map(Self.json))]).encode(to: encoder)
  }

  private static func json(_ file: File) -> JSONValue {
    let check = file.check
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
      "path": .string(file.path), "type": check.type.map { .string($0.rawValue) } ?? .null,
      "whole": .bool(check.isWhole),
      "parts": JSONValue(check.parts), "blocks": JSONValue(check.blocks), "records": JSONValue(check.records),
      "encrypted": .bool(check.isEncrypted), "content_checked": .bool(check.looksInside),
      "gaps": .array(check.gaps.map { .object(range($0.range, $0.reason.rawValue)) }), "damaged": .array(damaged),
      "missing": .array(missing),
    ]
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    for file in files { Self.describe(file, catalogue, &document) }
    return document
  }

  private static func describe(_ file: File, _ catalogue: Catalogue, _ document: inout Document) {
    let check = file.check
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
