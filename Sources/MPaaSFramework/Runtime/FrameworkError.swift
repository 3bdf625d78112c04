/// Why the framework could not do what was asked; it names the micro-app, service, module, route or message.
///
/// `description` says what happened, where the thing was registered, and how it is mended, in English;
/// `message(in:)` says it in Simplified Chinese too.
public struct FrameworkError: Error, Sendable, CustomStringConvertible {
  /// What the error is about.
  public enum Subject: Sendable, Hashable {
    case application(String)
    case service(String)
    case module(String)
    case route(String)
    case message(String)
  }

  /// One way of failing: the stable word that `mpaas explain` knows.
  public struct Code: Sendable, Hashable {
    public let id: String

    init(_ id: String) { self.id = id }
  }

  public let code: Code
  public let subject: Subject
  /// The line that registered the subject.
  public let place: SourcePlace?
  /// What the texts name besides the subject.
  public let values: [String: String]
  /// What code of the app threw.
  public let underlying: (any Error)?

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

  public var description: String {
    let name =
      switch subject {
      case .application(let name), .service(let name), .module(let name), .route(let name), .message(let name): name
      }
    return ["\(name): \(code.id)", place.map { "(\($0))" }].compactMap(\.self).joined(separator: " ")
  }
}
