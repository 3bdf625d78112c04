import ArgumentParser
import CommandKit
import MPaaSConfig
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport

/// The way a property list is read.
struct PlistReadOptions: ParsableArguments {
  @Option(help: .text("command.plist.from", valueName: "format"))
  var from: PropertyListFormat?

  @Flag(help: .text("command.plist.tagged"))
  var tagged = false

  /// Reads a file, or standard input where it is called `-`.
  func file(_ path: String, in context: Context) throws -> PropertyListFile {
    guard path == "-" else {
      return try PropertyListFile(try Bytes.mapping(path).array, file: path, format: from, isTagged: tagged)
    }
    let name = context.catalogue.text("text.standard-input")
    return try PropertyListFile(try Self.standardInput(), file: name, format: from, isTagged: tagged)
  }

  static func standardInput() throws -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = try StandardInput.read(into: &buffer), count > 0 { bytes += buffer[..<count] }
    return bytes
  }
}

/// The destination of an edit's result.
struct PlistEditOptions: ParsableArguments {
  @Option(name: [.short, .long], help: .text("command.plist.output", valueName: "file"), completion: .file())
  var output: String?

  @Flag(name: .customLong("dry-run"), help: .text("command.plist.dry-run"))
  var dryRun = false

  @OptionGroup var reading: PlistReadOptions

  /// Edits a file: reads it, has `change` make another value of its own, and writes what differs.
  func edit(
    _ path: String, in context: Context, _ results: ResultSink,
    _ change: (PropertyListFile) throws -> PropertyListValue
  ) throws -> ExitStatus {
    let update = try PropertyListUpdate(
      try reading.file(path, in: context), at: path, output: output, change: change)
    if !dryRun { try update.write(output: results.put(bytes:)) }
    // The list itself is the result where it went to standard output.
    if dryRun || update.target != "-" { try results.put(EditedPlist(update, isDryRun: dryRun)) }
    return .done
  }
}

/// A property list that was edited.
struct EditedPlist: Presentable {
  let file: String
  let changed: Bool
  let dryRun: Bool
  /// The differences by key path.
  let differences: [PlistDifference]
  let old: PropertyListFile
  let new: PropertyListFile

  private enum CodingKeys: String, CodingKey {
    case file, changed, dryRun, differences
  }

  init(_ update: PropertyListUpdate, isDryRun: Bool) {
    file = update.target
    old = update.old
    new = update.new
    changed = update.isChanged
    dryRun = isDryRun
    differences =
      changed ? PropertyListComparison(from: old.root, to: new.root).differences.map { PlistDifference($0) } : []
  }

  func document(_ catalogue: Catalogue) -> Document {
    guard changed else { return [.line(StyledText(catalogue.text("text.plist-unchanged", ["file": file]), .faint))] }
    guard dryRun else {
      let values = ["file": file, "count": "\(differences.count)"]
      let key = differences.count == 1 ? "text.plist-changed-one" : "text.plist-changed"
      return [.line(StyledText(catalogue.text(key, values)))]
    }
    guard old.format != .binary else { return Document(lines: differences.flatMap { $0.lines(catalogue) }) }
    let diff = TextDiff(
      from: String(decoding: old.bytes, as: UTF8.self), to: String(decoding: new.bytes, as: UTF8.self))
    return Document(lines: diff.unified(from: file, to: file).map(\.styled))
  }
}

/// A difference of two property lists, ready to be printed.
struct PlistDifference: Encodable, Sendable {
  let kind: PropertyListComparison.Kind
  let path: String
  let before: PlistPrinted?
  let after: PlistPrinted?

  init(_ difference: PropertyListComparison.Difference) {
    kind = difference.kind
    path = PropertyListPath.text(difference.steps)
    before = difference.before.map { PlistPrinted($0) }
    after = difference.after.map { PlistPrinted($0) }
  }

  func lines(_ catalogue: Catalogue) -> [StyledText] {
    var lines: [StyledText] = []
    // Quotes tell a string; other types are named where the other side does not tell them.
    let names = before == nil || after == nil ? (before ?? after)?.type != "string" : before?.type != after?.type
    if let before { lines.append(StyledText("- ", .bad) + StyledText(path, .path) + " = " + before.text(names, .bad)) }
    if let after { lines.append(StyledText("+ ", .good) + StyledText(path, .path) + " = " + after.text(names, .good)) }
    return lines
  }
}

/// A value as it is printed: its type and its text.
struct PlistPrinted: Encodable, Sendable {
  let type: String
  /// A leaf's text, or JSON on one line.
  let value: String

  init(_ value: PropertyListValue) {
    type = PropertyListType(of: value).rawValue
    self.value =
      value.plainText ?? (try? value.json(isTagged: true, isPretty: false, file: ""))
      ?? PropertyListType(of: value).rawValue
  }

  func text(_ namesType: Bool, _ role: TextRole) -> StyledText {
    let quoted = type == "string" ? "\"\(value)\"" : value
    return StyledText(quoted, role) + (namesType ? StyledText(" (\(type))", .faint) : "")
  }
}
