import MPaaSKitUpdate
import MPaaSSupport
import MPaaSTerminal

/// The result of an update.
struct KitUpdate: Presentable {
  enum Kind: String, Encodable {
    case updated
    case current
    /// There is a newer version, and nothing was changed.
    case available
    case rolledBack = "rolled_back"
    /// Neither from a checkout nor with its versions beside each other: nothing was done.
    case installed
  }

  let kind: Kind
  /// The folder of the kit or of the checkout, or the program.
  let path: String
  /// Versions of a kit, commits of a checkout.
  var before: String?
  var after: String?
  /// The channel of a kit; nil for a rollback, and elsewhere.
  var channel: String?
  /// The news of the version, by language.
  var notes: [String: String]?
  /// Bytes that came, or would come at most.
  var size: Int?
  /// Tells whether they were the difference between two versions.
  var delta: Bool?

  var exit: ExitStatus { kind == .installed ? .negative : .done }

  func document(_ catalogue: Catalogue) -> Document {
    let values = [
      "path": path, "before": before ?? "", "after": after ?? "", "channel": channel ?? "",
      "size": ByteCount(UInt64(clamping: size ?? 0)).description,
    ]
    let text = catalogue.text("text.kitupdate-\(channel == nil ? "" : "kit-")\(kind.rawValue)", values)
    let note = notes?[catalogue.language == .english ? "en" : "zh-Hans"] ?? notes?["en"] ?? ""
    return Document(
      lines: text.split(separator: "\n").map { StyledText("\($0)") }
        + note.split(separator: "\n").map { StyledText("  \($0)", .faint) })
  }
}

extension KitUpdate {
  init(_ outcome: KitUpdateOutcome, path: String) {
    let kind: Kind =
      switch outcome.kind {
      case .updated: .updated
      case .current: .current
      case .available: .available
      case .rolledBack: .rolledBack
      }
    self.init(
      kind: kind, path: path, before: outcome.before, after: outcome.after, channel: outcome.channel,
      notes: outcome.notes.isEmpty ? nil : outcome.notes, size: outcome.size,
      delta: outcome.kind == .updated ? outcome.isDelta : nil)
  }
}
