import MPaaSCrash
import MPaaSCrashReport
import MPaaSSupport

/// The facts of an event that issues are searched by.
struct IssueFacts: Sendable, Equatable {
  /// The values of an event: those of a search's keys, and tags as `tag:NAME`.
  var values: [Value] = []
  var release: String?
  /// The person; empty where the event names none.
  var user = ""
  /// The texts that words are looked for in, in small letters.
  var text = ""

  struct Value: Sendable, Hashable {
    let key: String
    let value: String
  }

  /// Tags of an event that are kept.
  static let mostTags = 100
  /// Characters of a name, and of a value, that are kept.
  static let longest = 200
  private static let longestText = 1000
  /// A row of an index has room for little more in PostgreSQL.
  private static let mostTextBytes = 2000
  private static let mostCalls = 100
  private static let mostCauses = 10

  init() {}

  init(_ report: CrashReport, _ fingerprint: Fingerprint, title: String, place: String) {
    let sentry = report.extra["sentry"]?.object ?? .init()
    let version = report.versionText
    release = Self.text(sentry["release"]) ?? (version.isEmpty ? nil : Self.kept(version))
    user = Self.user(sentry, report)
    readFields(sentry, report)
    readStack(report, fingerprint)
    for (name, value) in Self.tags(sentry["tags"]) { add("tag:" + name, value) }
    let entry = sentry["logentry"]?.object ?? sentry["message"]?.object ?? .init()
    let words = [
      title, entry["message"]?.string ?? sentry["message"]?.string ?? "", fingerprint.exception,
      fingerprint.blamed?.name ?? "", place, sentry["transaction"]?.string ?? sentry["culprit"]?.string ?? "",
      report.thrown?.name ?? "",
    ]
    var seen: Set<String> = []
    let line = words.filter { !$0.isEmpty && seen.insert($0).inserted }.joined(separator: " ")
    text = Self.bounded(Self.kept(line, Self.longestText), bytes: Self.mostTextBytes).lowercased()
  }

  private mutating func readFields(_ sentry: JSONValue.Object, _ report: CrashReport) {
    let names: [(String, JSONValue?)] = [
      ("environment", sentry["environment"]), ("level", sentry["level"]), ("transaction", sentry["transaction"]),
      ("logger", sentry["logger"]), ("platform", sentry["platform"]), ("dist", sentry["dist"]),
      ("server_name", sentry["server_name"]),
    ]
    for (name, value) in names { add(name, Self.text(value)) }
    add("release", release)
    if let key = release.flatMap({ ReleaseName($0).sortKey }) { add("release.version", key) }
    add("os.name", report.system.name)
    add("os.version", report.system.version)
    add("device.model", report.system.model)
    add("device.family", Self.text(sentry["contexts"]?.object?["device"]?.object?["family"]))
    add("error.type", report.thrown?.name ?? report.exception?.type)
    if report.thrown != nil, let signal = report.exception?.type { add("error.type", signal) }
    let last = sentry["exception"]?.object?["values"]?.array?.last?.object ?? sentry["exception"]?.array?.last?.object
    if let handled = last?["mechanism"]?.object?["handled"]?.bool {
      add("error.handled", handled ? "true" : "false")
    } else if sentry.isEmpty {
      add("error.handled", "false")
    }
  }

  /// The facts that names of calls tell: all that symbols add.
  var calls: IssueFacts {
    var facts = IssueFacts()
    facts.values = values.filter { $0.key.hasPrefix("stack.") }
    facts.text = text
    return facts
  }

  /// The functions and modules of the stack that tells why.
  private mutating func readStack(_ report: CrashReport, _ fingerprint: Fingerprint) {
    if let stack = fingerprint.stack {
      for frame in report[stack: stack].prefix(Self.mostCalls) {
        for call in frame.calls { add("stack.function", call.function) }
        let module = frame.image.map { report.images[$0].name } ?? Self.text(frame.extra["sentry"]?.object?["module"])
        add("stack.module", module)
      }
    }
    readCauses(report.extra["sentry"]?.object?["exception"])
    var seen: Set<Value> = []
    values = values.filter { seen.insert($0).inserted }
  }

  /// The types and calls of the exceptions that led to the last.
  private mutating func readCauses(_ exception: JSONValue?) {
    let all = exception?.object?["values"]?.array ?? exception?.array ?? []
    for cause in all.dropLast().suffix(Self.mostCauses) {
      add("error.type", Self.text(cause.object?["type"]))
      let frames = cause.object?["stacktrace"]?.object?["frames"]?.array ?? []
      for frame in frames.suffix(Self.mostCalls) {
        add("stack.function", Self.text(frame.object?["function"]))
        add("stack.module", Self.text(frame.object?["module"]))
      }
    }
  }

  private mutating func add(_ key: String, _ value: String?) {
    guard let value, !value.isEmpty else { return }
    values.append(Value(key: Self.kept(key), value: Self.kept(value)))
  }

  private static func user(_ sentry: JSONValue.Object, _ report: CrashReport) -> String {
    let person = sentry["user"]?.object ?? .init()
    let names = ["id", "username", "email"].lazy.compactMap { Self.text(person[$0]) }
    return report.application.userIDHash ?? names.first { !$0.isEmpty } ?? ""
  }

  /// A text, or a number as text; nil for anything else.
  static func text(_ value: JSONValue?) -> String? {
    switch value {
    case .string(let text)?: text.isEmpty ? nil : kept(text)
    case .unsigned(let number)?: String(number)
    case .negative(let number)?: String(number)
    case .number(let number)?: String(number)
    case .bool(let value)?: value ? "true" : "false"
    default: nil
    }
  }

  /// The tags of an event, as an object, as pairs, or as objects of `key` and `value`; at most `mostTags`.
  static func tags(_ value: JSONValue?) -> [(String, String)] {
    switch value {
    case .object(let object)?:
      return object.sortedByName.prefix(mostTags).map { ($0.key, text($0.value) ?? "") }
    case .array(let elements)?:
      return elements.prefix(mostTags).compactMap { element in
        if let pair = element.array, pair.count == 2, let name = text(pair[0]) { return (name, text(pair[1]) ?? "") }
        guard let object = element.object, let name = text(object["key"]) else { return nil }
        return (name, text(object["value"]) ?? "")
      }
    default: return []
    }
  }

  /// The beginning of a text, without NUL, which not every database takes.
  static func kept(_ text: String, _ most: Int = longest) -> String {
    var text = text
    if text.utf8.contains(0) { text = text.replacing(each: "\0", with: "\u{2400}") }
    guard text.utf8.count > most else { return text }
    // One character may be of any number of codes.
    return bounded(text.prefix(most), bytes: most * 4)
  }

  /// The beginning of a text that has no more bytes than so many.
  private static func bounded(_ text: some StringProtocol, bytes most: Int) -> String {
    guard text.utf8.count > most else { return String(text) }
    var bytes = Array(text.utf8.prefix(most))
    while let last = bytes.last, last & 0xc0 == 0x80 { bytes.removeLast() }
    return String(decoding: bytes.dropLast(), as: UTF8.self)
  }
}
