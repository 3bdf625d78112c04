import MPaaSFlagPublishing
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal
import MPaaSTrust

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The effect of a change: a version, or a proposal.
struct FlagOutcomeView: Presentable {
  let outcome: FlagOutcome

  init(_ outcome: FlagOutcome) { self.outcome = outcome }

  func encode(to encoder: any Encoder) throws {
    switch outcome {
    case .version(let version): try version.encode(to: encoder)
    case .proposal(let proposal): try proposal.encode(to: encoder)
    }
  }

  func document(_ catalogue: Catalogue) -> Document {
    switch outcome {
    case .version(let version): FlagVersionView(version).document(catalogue)
    case .proposal(let proposal): FlagProposalView(proposal).document(catalogue)
    }
  }
}

/// A version with its changes.
struct FlagVersionView: Presentable {
  let version: FlagVersion

  init(_ version: FlagVersion) { self.version = version }

  func encode(to encoder: any Encoder) throws { try version.encode(to: encoder) }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    guard version.added + version.removed + version.changed > 0 else {
      document.line(StyledText(catalogue.text("text.flags-unchanged", ["version": "\(version.version)"]), .faint))
      return document
    }
    let head = catalogue.text("text.flags-version", ["version": "\(version.version)"])
    document.line(StyledText(head, .emphasis) + StyledText("  " + origin(catalogue), .faint))
    for change in version.changes { document.append(change, catalogue) }
    let left = version.added + version.removed + version.changed - version.changes.count
    if left > 0 { document.line(StyledText(catalogue.text("text.flags-more", ["count": "\(left)"]), .faint)) }
    return document
  }

  private func origin(_ catalogue: Catalogue) -> String {
    var words = [FlagTime.text(version.time), version.author]
    if let rollback = version.rollback {
      words.append(catalogue.text("text.flags-rolled-back", ["version": "\(rollback)"]))
    }
    if !version.comment.isEmpty { words.append(version.comment) }
    return words.joined(separator: "  ")
  }
}

/// Versions, the newest first.
struct FlagHistoryView: Presentable {
  let page: FlagHistoryPage
  /// The flag whose changes are shown; nil for those of all.
  let flag: String?

  func encode(to encoder: any Encoder) throws { try page.encode(to: encoder) }

  func document(_ catalogue: Catalogue) -> Document {
    guard !page.versions.isEmpty else {
      let none = flag.map { catalogue.text("text.flags-no-history-of", ["flag": $0]) }
      return [.line(StyledText(none ?? catalogue.text("text.flags-no-history"), .faint))]
    }
    let names = ["version", "time", "author", "changes", "comment"]
    let rows = page.versions.map { version -> [StyledText] in
      let counts = [("+", version.added), ("-", version.removed), ("~", version.changed)]
      return [
        StyledText("\(version.version)", .number), StyledText(FlagTime.text(version.time), .faint),
        StyledText(version.author),
        StyledText(counts.filter { $0.1 > 0 }.map { "\($0.0)\($0.1)" }.joined(separator: " ")),
        StyledText(version.comment),
      ]
    }
    return [
      .table(Table(columns: names.map { .init(catalogue.text("text.flags-heading-\($0)")) }, rows: rows))
    ]
  }
}

/// Times as people read them.
enum FlagTime {
  /// A time in seconds since 1970, in UTC.
  static func text(_ seconds: Double) -> String { MetadataTime.text(Date(timeIntervalSince1970: seconds)) }
}

extension Document {
  /// Appends a change of a flag or a segment, with the members that differ.
  mutating func append(_ change: FlagDifference, _ catalogue: Catalogue) {
    let sign = change.kind == .added ? "+ " : change.kind == .removed ? "- " : "~ "
    let subject = catalogue.optionalText("text.flags-subject-\(change.subject)") ?? change.subject
    line(StyledText(sign + subject + " ", .faint) + StyledText(change.name, .function))
    for member in change.members {
      line("  " + StyledText("- \(member.member): \(member.before)", .bad))
      line("  " + StyledText("+ \(member.member): \(member.after)", .good))
    }
  }
}
