/// The reason why the framework could not do what was asked; it names the micro-app, service, module, route or message.
///
/// `description` says what happened, where the thing was registered, and how it is mended, in English;
/// `message(in:)` says it in Simplified Chinese too.
public struct FrameworkError: Error, Sendable, CustomStringConvertible {
  /// The subject of the error.
  public enum Subject: Sendable, Hashable {
    /// A micro-app, by its name.
    case application(String)
    /// A service, by its name or its protocol.
    case service(String)
    /// A module, by the name of its type.
    case module(String)
    /// A route, by its pattern, or a URL.
    case route(String)
    /// An exported method: `module.method`.
    case method(String)
    /// A message, an event or a service of calls, by its name, or the prefix of a controller.
    case message(String)
    /// A parameter, a key, a file or another word that was given.
    case parameter(String)
    /// The context as a whole.
    case context

    /// The name alone, as texts show it.
    public var name: String {
      switch self {
      case .application(let name), .service(let name), .module(let name), .route(let name), .method(let name),
        .message(let name), .parameter(let name):
        name
      case .context: "MobileContext"
      }
    }
  }

  /// The kind of the error.
  public let code: Code
  /// The micro-app, service, module, route, method, message or parameter that the error is about.
  public let subject: Subject
  /// The line that registered the subject.
  public let place: SourcePlace?
  /// The values that the texts name besides the subject.
  public let values: [String: String]
  /// The error that code of the app threw.
  public let underlying: (any Error)?
  /// The other failures of the same request, which was carried out to its end, in order.
  public internal(set) var others: [FrameworkError] = []

  init(
    _ code: Code, _ subject: Subject, at place: SourcePlace? = nil, values: [String: String] = [:],
    underlying: (any Error)? = nil
  ) {
    self.code = code
    self.subject = subject
    self.place = place
    self.values = values
    self.underlying = underlying
  }

  /// The message in English, as `message(in:)` gives it.
  public var description: String { message(in: .english) }

  /// The event, its place and its remedy: `MobileRuntime.plist:12: sentence help`.
  ///
  /// Further problems follow, a line each.
  public func message(in language: TextLanguage) -> String {
    let text = language == .english ? code.english : code.chinese
    var named = values
    named["name"] = subject.name
    if let underlying { named["reason"] = String(describing: underlying) }
    let sentences = [text.sentence, text.help].filter { !$0.isEmpty }
    let joined = sentences.map { $0.filling(named) }.joined(separator: language == .english ? " " : "")
    let own = place.map { "\($0): \(joined)" } ?? joined
    return ([own] + others.map { $0.message(in: language) }).joined(separator: "\n")
  }

  /// The first of several errors, which keeps the rest; nil for none.
  static func first(of errors: [FrameworkError]) -> FrameworkError? {
    guard var first = errors.first else { return nil }
    first.others += errors.dropFirst()
    return first
  }
}

extension FrameworkError {
  /// One way of failing: the stable word that `mpaas explain` knows, with its texts.
  ///
  /// Two codes are equal where their words are.
  public struct Code: Sendable, Hashable {
    struct Text: Sendable {
      let sentence: String
      let help: String
    }

    /// The stable word for the error: `call-refused`.
    public let id: String
    let english: Text
    let chinese: Text

    /// Makes a code; the texts may name `{name}`, `{reason}` and the error's values.
    init(_ id: String, en: String, enHelp: String = "", zh: String, zhHelp: String = "") {
      self.id = id
      english = Text(sentence: en, help: enHelp)
      chinese = Text(sentence: zh, help: zhHelp)
    }

    /// Compares two codes by their words alone.
    public static func == (left: Self, right: Self) -> Bool { left.id == right.id }
    /// Hashes the word of the code.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
  }
}

extension String {
  /// The text with `{key}` replaced by its value; what has no value stays as it is.
  func filling(_ values: [String: String]) -> String {
    var result = ""
    var rest = self[...]
    while let open = rest.firstIndex(of: "{") {
      result += rest[..<open]
      rest = rest[open...]
      guard let close = rest.firstIndex(of: "}") else { break }
      let key = String(rest[rest.index(after: open)..<close])
      result += values[key] ?? String(rest[...close])
      rest = rest[rest.index(after: close)...]
    }
    return result + rest
  }
}
