/// The requests that a condition is for.
public struct RequestFilter: Sendable, Hashable {
  /// A method such as `POST`; nil for all.
  public var method: String?
  /// The path, with `*` for anything; nil for all.
  public var path: String?
  /// Only the first so many that match, since the toxic was added; nil for all.
  public var first: Int?
  /// The share of those, 0 to 1.
  public var probability: Double

  /// Makes a filter that lets all requests match, unless it is narrowed.
  public init(method: String? = nil, path: String? = nil, first: Int? = nil, probability: Double = 1) {
    self.method = method
    self.path = path
    self.first = first
    self.probability = probability
  }
}

/// Each reply waits.
public struct HTTPDelay: Sendable, Hashable {
  /// The time that each reply waits.
  public var delay: Duration
  /// The requests whose replies wait.
  public var filter: RequestFilter

  /// Makes a delay of replies, for all requests unless a filter is given.
  public init(_ delay: Duration, filter: RequestFilter = RequestFilter()) {
    self.delay = delay
    self.filter = filter
  }
}

/// Requests are answered with an error by the proxy.
public struct HTTPFailure: Sendable, Hashable {
  /// 100 to 599.
  public var status: Int
  /// The body of the proxy's answer.
  public var body: String
  /// The header fields of the proxy's answer, by name.
  public var headers: [String: String]
  /// The requests that fail.
  public var filter: RequestFilter

  /// Makes a failure with a status, for all requests unless a filter is given.
  public init(
    status: Int, body: String = "", headers: [String: String] = [:], filter: RequestFilter = RequestFilter()
  ) {
    self.status = status
    self.body = body
    self.headers = headers
    self.filter = filter
  }
}

/// The head of a reply comes a line at a time (in HTTP/2, where it is one piece, with its last line).
public struct HTTPSlowHeaders: Sendable, Hashable {
  /// The time between two lines.
  public var delay: Duration
  /// The requests whose replies come slowly.
  public var filter: RequestFilter

  /// Makes a pause between header lines, for all requests unless a filter is given.
  public init(_ delay: Duration, filter: RequestFilter = RequestFilter()) {
    self.delay = delay
    self.filter = filter
  }
}

/// The body of a reply ends early, and the connection with it.
public struct HTTPTruncatedBody: Sendable, Hashable {
  /// The bytes of the body that pass.
  public var bytes: Int64
  /// The requests whose replies end early.
  public var filter: RequestFilter

  /// Makes a limit of the bytes of replies' bodies, for all requests unless a filter is given.
  public init(bytes: Int64, filter: RequestFilter = RequestFilter()) {
    self.bytes = bytes
    self.filter = filter
  }
}

/// Names are answered later.
public struct DNSDelay: Sendable, Hashable {
  /// The time that each answer waits.
  public var delay: Duration
  /// The name, with `*` for anything; nil for all.
  public var name: String?

  /// Makes a delay of answers, for all names unless one is given.
  public init(_ delay: Duration, name: String? = nil) {
    self.delay = delay
    self.name = name
  }
}

/// Names are not found.
public struct DNSFailure: Sendable, Hashable {
  /// The failure of a name.
  public enum Answer: String, Sendable, Hashable, CaseIterable {
    /// There is no such name.
    case nxdomain
    /// The server failed.
    case servfail
    /// The server refused.
    case refused
    /// No answer comes.
    case silence
  }

  /// The way in which names fail.
  public var answer: Answer
  /// The name, with `*` for anything; nil for all.
  public var name: String?
  /// The share of the queries that fail, 0 to 1.
  public var probability: Double

  /// Makes a failure: all names are unknown, unless told otherwise.
  public init(_ answer: Answer = .nxdomain, name: String? = nil, probability: Double = 1) {
    self.answer = answer
    self.name = name
    self.probability = probability
  }
}
