import MPaaSCrashReport
import MPaaSSupport

/// A search for issues, as a tree of conditions.
indirect enum IssueSearch: Sendable, Equatable {
  case all([IssueSearch])
  case any([IssueSearch])
  case not(IssueSearch)
  case field(IssueField, IssueMatch)
  /// A part of the issue's texts.
  case text(String)
}

/// The thing that a condition is about.
enum IssueField: Sendable, Equatable {
  case state
  case assignee
  case count
  case users
  case firstSeen
  case lastSeen
  /// The version of a release.
  case version
  case user
  /// A value of an event by the key that it is kept under.
  case value(String)
  case tag(String)

  /// The fields that have names of their own; any other name is a tag's.
  static let named: [String: IssueField] = [
    "is": .state, "assigned": .assignee, "assignee": .assignee, "times_seen": .count, "timesSeen": .count,
    "users": .users, "firstSeen": .firstSeen, "first_seen": .firstSeen, "lastSeen": .lastSeen, "last_seen": .lastSeen,
    "release.version": .version, "user.id": .user, "user": .user, "release": .value("release"),
    "environment": .value("environment"), "level": .value("level"), "os.name": .value("os.name"),
    "os.version": .value("os.version"), "device.model": .value("device.model"),
    "device.family": .value("device.family"), "error.type": .value("error.type"),
    "error.handled": .value("error.handled"), "stack.function": .value("stack.function"),
    "stack.module": .value("stack.module"), "transaction": .value("transaction"), "logger": .value("logger"),
    "platform": .value("platform"), "dist": .value("dist"), "server_name": .value("server_name"),
  ]
}

/// The condition on it.
enum IssueMatch: Sendable, Equatable {
  case equal(String)
  case oneOf([String])
  /// A pattern in which `*` stands for any text.
  case like(String)
  case compare(Comparison, Bound)
  case isSet
  case isMissing
  /// The caller.
  case me

  enum Comparison: String, Sendable, CaseIterable {
    case atLeast = ">="
    case atMost = "<="
    case above = ">"
    case below = "<"
    case equal = "="
  }

  enum Bound: Sendable, Equatable {
    case number(Int64)
    /// Seconds since 1970.
    case time(Double)
    /// Seconds before now.
    case ago(Int64)
    case version(String)
  }
}

extension IssueSearch: CustomStringConvertible {
  /// The search in words, the same for the same conditions.
  var description: String {
    switch self {
    case .all(let parts): parts.isEmpty ? "all" : parts.map(\.inner).joined(separator: " AND ")
    case .any(let parts): parts.map(\.inner).joined(separator: " OR ")
    case .not(let part): "NOT \(part.inner)"
    case .field(let field, let match): "\(field) \(match.text(of: field))"
    case .text(let text): "text CONTAINS \(Self.quoted(text))"
    }
  }

  private var inner: String {
    switch self {
    case .all, .any: "(\(description))"
    default: description
    }
  }

  static func quoted(_ text: String) -> String { "\"\(text.replacing(each: "\"", with: "\\\""))\"" }
}

extension IssueField: CustomStringConvertible {
  var description: String {
    switch self {
    case .state: "state"
    case .assignee: "assignee"
    case .count: "count"
    case .users: "users"
    case .firstSeen: "first_seen"
    case .lastSeen: "last_seen"
    case .version: "version"
    case .user: "user.id"
    case .value("error.handled"): "handled"
    case .value("stack.function"): "any frame function"
    case .value("stack.module"): "any frame module"
    case .value(let key): key
    case .tag(let name): Self.isPlain(name) ? "tag \(name)" : "tag \(IssueSearch.quoted(name))"
    }
  }

  private static func isPlain(_ name: String) -> Bool {
    name.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "_" || $0 == "." || $0 == "-"
    }
  }
}

extension IssueMatch {
  /// The condition in words; names of states and truth values stand without quotation marks.
  fileprivate func text(of field: IssueField) -> String {
    let isWord = field == .state || field == .value("error.handled")
    func value(_ text: String) -> String { isWord ? text : IssueSearch.quoted(text) }
    return switch self {
    case .equal(let text): "= \(value(text))"
    case .oneOf(let texts): "IN (\(texts.map(value).joined(separator: ",")))"
    case .like(let pattern): "GLOB \(IssueSearch.quoted(pattern))"
    case .compare(let comparison, let bound): "\(comparison.rawValue) \(bound)"
    case .isSet: "IS SET"
    case .isMissing: field == .assignee ? "IS NULL" : "IS NOT SET"
    case .me: "= $me"
    }
  }
}

extension IssueMatch.Bound: CustomStringConvertible {
  var description: String {
    switch self {
    case .number(let number): String(number)
    case .version(let text): text
    case .ago(let seconds): "now - \(seconds)"
    case .time(let seconds):
      String(CrashReport.Timestamp(seconds: Int64(seconds)).text(digits: 0).prefix(19).map { $0 == " " ? "T" : $0 })
        + "Z"
    }
  }
}
