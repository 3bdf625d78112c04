import MPaaSSupport

/// A change of an issue as it is asked for.
struct IssueChange: Sendable, Equatable {
  var state: IssueState?
  /// The release that it is resolved in; `isNext` for the one that comes next.
  var release: String?
  var isNext = false
  /// The end of being ignored, counted from now.
  var until: IssueRule?
  /// The new assignee; an empty name takes the old one away.
  var assignee: String?
  var mergeInto: Int64?
  /// The group that becomes an issue of its own again.
  var split: Int64?

  /// Characters of a name.
  static let longest = 200

  var isEmpty: Bool { self == IssueChange() }
}

extension IssueChange {
  /// The change that a JSON object asks for.
  ///
  /// - Parameter me: The caller, whom `"assignee": "me"` means.
  /// - Throws: `server-bad-request` naming the field that is wrong.
  init(_ body: JSONValue, me: String) throws(ServerError) {
    guard let object = body.object else { throw ServerError(.badRequest, ["reason": "JSON"]) }
    for (name, value) in object.sortedByName {
      switch name {
      case "state":
        guard let state = value.string.flatMap(IssueState.init(rawValue:)),
          [.unresolved, .resolved, .ignored].contains(state)
        else { throw Self.wrong(name) }
        self.state = state
      case "in_release": release = try Self.text(value, name)
      case "in_next_release":
        guard let flag = value.bool else { throw Self.wrong(name) }
        isNext = flag
      case "until": until = try Self.rule(value)
      case "assignee":
        if value == .null {
          assignee = ""
        } else {
          let name = try Self.text(value, name)
          assignee = name == "me" ? me : name
        }
      case "merge_into": mergeInto = try Self.id(value, name)
      case "split": split = try Self.id(value, name)
      case "ids", "query": continue
      default: throw Self.wrong(name)
      }
    }
    guard release == nil && !isNext || state == .resolved else { throw Self.wrong("in_release") }
    guard until == nil || state == .ignored else { throw Self.wrong("until") }
    guard !isEmpty else { throw Self.wrong("state") }
  }

  static func wrong(_ field: String) -> ServerError { ServerError(.badRequest, ["reason": field]) }

  private static func text(_ value: JSONValue, _ name: String) throws(ServerError) -> String {
    guard let text = value.string, !text.isEmpty, text.utf8.count <= longest * 4 else { throw wrong(name) }
    return IssueFacts.kept(text, longest)
  }

  /// A number, also as text.
  static func id(_ value: JSONValue, _ name: String) throws(ServerError) -> Int64 {
    guard let id = value.integer(Int64.self) ?? value.string.flatMap({ Int64($0) }), id > 0 else { throw wrong(name) }
    return id
  }

  private static func rule(_ value: JSONValue) throws(ServerError) -> IssueRule? {
    if value == .null { return nil }
    guard let object = value.object, !object.isEmpty else { throw wrong("until") }
    var rule = IssueRule()
    for (name, value) in object {
      switch name {
      case "time":
        let told = value.string.flatMap(IssueSearchReader.time(of:)) ?? value.double
        guard let time = told, time.isFinite, time > 0, time < 1e11 else { throw wrong("until.time") }
        rule.time = time
      case "count": rule.count = try count(value, name)
      case "users": rule.users = try count(value, name)
      case "per_hour": rule.perHour = try count(value, name)
      default: throw wrong("until.\(name)")
      }
    }
    return rule
  }

  private static func count(_ value: JSONValue, _ name: String) throws(ServerError) -> Int64 {
    guard let count = value.integer(Int64.self), count > 0, count <= 1 << 50 else { throw wrong("until.\(name)") }
    return count
  }
}
