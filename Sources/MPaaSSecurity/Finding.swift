/// A sign of an attack, with its evidence and its bypass.
public struct Finding: Sendable, Hashable {
  /// The kind of the sign.
  public let kind: Kind
  /// The certainty with which the evidence is no accident.
  public let confidence: Confidence
  /// The file, process or variable's value that it is about; nil where it has no name.
  public let subject: String?
  /// The function, variable, thread or method by name.
  public let name: String?
  /// The place in memory.
  public let address: UInt?
  /// A further number: the process that traces, where a slot leads, a port.
  public let number: UInt?

  package init(
    _ kind: Kind, _ confidence: Confidence, subject: String? = nil, name: String? = nil, address: UInt? = nil,
    number: UInt? = nil
  ) {
    self.kind = kind
    self.confidence = confidence
    self.subject = subject
    self.name = name
    self.address = address
    self.number = number
  }

  /// The facts in a line of English, for a log.
  public var evidence: String {
    let file = subject ?? "memory without a file"
    switch kind {
    case .debugger:
      return number == 0
        ? "the app's own tracer is gone"
        : "process \(number ?? 0)\(subject.map { " (\($0))" } ?? "") traces this one"
    case .preloadVariable: return "\(name ?? "a variable") loads \(subject ?? "a library")"
    case .preloadedImage: return "\(file) was loaded before all libraries that the app is linked with"
    case .foreignImage: return "nothing is linked with \(file)"
    case .hiddenImage: return "the dynamic linker does not list \(file), whose code is in memory"
    case .deletedImage: return "the file of loaded code is gone: \(file)"
    case .memoryFile: return "code of a file that is only in memory: \(file)"
    case .anonymousCode: return "code at \(place)\(subject.map { " (\($0))" } ?? "") belongs to no file"
    case .writableCode: return "code of \(file) at \(place) can be written"
    case .replacedSlot: return "calls of \(name ?? "a function") lead to \(hexadecimal(number ?? 0)) in \(file)"
    case .patchedCode: return "code of \(file) differs from its file at \(place)\(name.map { " (\($0))" } ?? "")"
    case .replacedMethod: return "\(name ?? "a method") is implemented in \(file)"
    case .jailbreak: return "\(subject ?? "the system") is open: \(name ?? "")"
    case .frida:
      if let name { return "thread \(number ?? 0) has the name \(name)" }
      if subject == "D-Bus" { return "port \(number ?? 0) speaks Frida's protocol" }
      return "\(file) is loaded"
    }
  }

  /// The way in which an attacker passes the check.
  public var bypass: String { kind.bypass }

  private var place: String { hexadecimal(address ?? 0) }
  private func hexadecimal(_ number: UInt) -> String { "0x" + String(number, radix: 16) }
}

extension Finding {
  /// The certainty with which a sign is no accident.
  public enum Confidence: String, Sendable, Hashable, CaseIterable, Comparable {
    /// Honest programs have it too: just-in-time compilers, profilers.
    case possible
    /// No usual program has it.
    case probable
    /// The fact itself is proven; its purpose never is.
    case certain

    /// Orders from the least certain to the most.
    public static func < (one: Confidence, other: Confidence) -> Bool { one.rank < other.rank }
    private var rank: Int {
      switch self {
      case .possible: 0
      case .probable: 1
      case .certain: 2
      }
    }
  }
}
