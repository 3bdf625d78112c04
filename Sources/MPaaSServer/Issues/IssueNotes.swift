import MPaaSDatabase
import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A line of an issue's history: a comment, or a change.
struct IssueNote: Sendable, Equatable, Codable {
  var id = ""
  /// `comment`, a state, `assigned`, `merged` or `split`.
  var kind: String
  var text: String
  /// The name of the token; empty where the server did it.
  var author: String
  /// Seconds since 1970.
  var time: Double
}

/// The history of issues in the database.
enum IssueNotes {
  /// Characters of a comment.
  static let longest = 10_000
  private static let most = 200

  @discardableResult
  static func add(_ note: IssueNote, to issue: Int64, app: String, in database: any SQLDatabase) throws -> IssueNote {
    var note = note
    note.id = Access.randomBytes(8).hexadecimal
    try database.run(
      "INSERT INTO issue_notes (app, issue, id, time, author, kind, text) VALUES (?, ?, ?, ?, ?, ?, ?)",
      [
        .text(app), .integer(issue), .text(note.id), .real(note.time), .text(note.author), .text(note.kind),
        .text(IssueFacts.kept(note.text, longest)),
      ])
    return note
  }

  /// The newest lines, the oldest of them first.
  static func of(_ issue: Int64, app: String, in database: any SQLDatabase) throws -> [IssueNote] {
    try database.rows(
      """
      SELECT id, kind, text, author, time FROM issue_notes WHERE app = ? AND issue = ? ORDER BY time DESC, id DESC LIMIT ?
      """, [.text(app), .integer(issue), .integer(most)]
    ) {
      IssueNote(id: $0.text(0), kind: $0.text(1), text: $0.text(2), author: $0.text(3), time: $0.real(4))
    }.reversed()
  }
}

extension IssueRule {
  /// - Parameter json: As `json` writes it; what cannot be read ends nothing by itself.
  init(json: String) {
    self = (try? JSONDecoder().decode(IssueRule.self, from: Data(json.utf8))) ?? IssueRule()
  }

  var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }
}
