public import MPaaSTime

/// The subjects of a span.
public enum TraceKind: String, Sendable, Hashable, CaseIterable {
  /// The start of the framework as a whole, or its end.
  case framework
  /// A step of all modules together.
  case phase
  /// A step of one module.
  case module
  case service
  case application
  case event
  /// A span that the app measures itself.
  case custom
}

/// Something that began, took its time and ended.
public struct TraceSpan: Sendable {
  /// From 1, in the order of the beginnings.
  public let id: Int
  /// The span within which it began; nil for one that stands alone.
  public let parent: Int?
  /// The kind of work that the span measures.
  public let kind: TraceKind
  /// The object of the span: the name of a module, a service, an event.
  public var subject: String { label.text }
  /// The action: `set-up`, `create`, `launch`; empty where the kind says all.
  public let phase: String
  /// The line that registered the subject.
  public let place: SourcePlace?
  /// Since the recorder was made.
  public let start: TimeSpan
  /// Nil while it goes on.
  public internal(set) var duration: TimeSpan?
  /// Threads are numbered as they come, from 1: the one that made the recorder.
  public let thread: Int
  /// The error that it ended with instead of a result.
  public internal(set) var error: String?

  let label: TraceLabel
}

/// A name that costs nothing until somebody reads it.
enum TraceLabel: Sendable {
  case text(String)
  case type(Any.Type)

  var text: String {
    switch self {
    case .text(let text): text
    case .type(let type): String(describing: type)
    }
  }
}
