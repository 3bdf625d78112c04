import ArgumentParser
import CommandKit
import MPaaSHotpatch
import MPaaSHotpatchTools
import MPaaSSupport
import MPaaSTerminal
import MPaaSTrust

/// `mpaas hotpatch diff A B`: what differs between two bundles.
struct HotpatchDiffCommand: MPaaSCommand {
  static var configuration: CommandConfiguration { CommandConfiguration("diff", key: "hotpatch.diff") }

  @Argument(help: .text("command.hotpatch.diff.a"), completion: .file(extensions: ["mpatch"]))
  var a: String

  @Argument(help: .text("command.hotpatch.diff.b"), completion: .file(extensions: ["mpatch"]))
  var b: String

  @OptionGroup var identity: BundleIdentityOptions
  @OptionGroup var common: CommonOptions

  func run(in context: Context) async throws -> BundleDifference {
    let identities = try identity.identities(in: context)
    let sides = try [a, b].map { path in
      let bytes = try BundlePath.read(path)
      return try TrustError.at(path) { () throws(TrustError) in
        try BundleDiff.Side(reading: bytes, identities: identities)
      }
    }
    return BundleDifference(diff: BundleDiff(sides[0], sides[1]), isOpened: !identities.isEmpty)
  }
}

/// The findings of `hotpatch diff`; a negative answer where there are differences.
struct BundleDifference: Presentable {
  let diff: BundleDiff
  let isOpened: Bool

  var exit: ExitStatus { diff.isSame ? .done : .negative }

  func encode(to encoder: any Encoder) throws {
    let fields = diff.fields.map { field -> JSONValue in
      ["name": .string(field.name), "a": .string(field.a), "b": .string(field.b)]
    }
    let files = diff.files.map { file -> JSONValue in
      [
        "path": .string(file.path), "change": .string(file.change.rawValue),
        "diff": file.lines.map { .string(Self.text($0)) } ?? .null,
      ]
    }
    let object: JSONValue.Object = [
      "same": .bool(diff.isSame), "fields": .array(fields), "files": .array(files), "opened": .bool(isOpened),
      "verified": false,
    ]
    try JSONValue.object(object).encode(to: encoder)
  }

  private static func text(_ lines: LineDiff) -> String {
    lines.hunks.map { hunk in
      hunk.heading + "\n" + hunk.lines.map { sign($0.kind) + $0.text + "\n" }.joined()
    }.joined()
  }

  private static func sign(_ kind: LineDiff.Kind) -> String {
    switch kind {
    case .same: " "
    case .removed: "-"
    case .added: "+"
    }
  }

  func document(_ catalogue: Catalogue) -> Document {
    guard !diff.isSame else {
      return Document(lines: [StyledText(catalogue.text("text.bundle-diff-same"), .good)])
    }
    var document = Document()
    if !diff.fields.isEmpty {
      let columns = ["text.bundle-diff-field", "text.diff-a", "text.diff-b"].map { Table.Column(catalogue.text($0)) }
      let rows = diff.fields.map { field in
        [StyledText(field.name), StyledText(field.a, .bad), StyledText(field.b, .good)]
      }
      document.table(Table(columns: columns, rows: rows))
    }
    for file in diff.files {
      document.line(
        StyledText(catalogue.text("text.bundle-diff-\(file.change.rawValue)", ["path": file.path]), .heading))
      for hunk in file.lines?.hunks ?? [] {
        document.line(StyledText(hunk.heading, .address))
        for line in hunk.lines {
          let roles: [LineDiff.Kind: TextRole] = [.removed: .bad, .added: .good]
          document.line(StyledText(Self.sign(line.kind) + line.text, roles[line.kind] ?? .plain))
        }
      }
    }
    if !isOpened, !diff.files.isEmpty {
      document.line(StyledText(catalogue.text("text.bundle-diff-closed"), .faint))
    }
    return document
  }
}
