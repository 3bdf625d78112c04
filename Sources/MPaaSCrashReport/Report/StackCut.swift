extension CrashReport {
  /// The reason for which a stack ends before its outermost frame.
  package enum StackCut: String, Sendable, CaseIterable {
    /// As many frames as are kept were found, and there are more.
    case limit
    /// The next frame would lie no further up the stack.
    case loop
    /// Memory on the way was not there or not kept.
    case unreadable
    /// Neither unwind information nor a frame pointer leads on from the last address.
    case unknown
    /// The time for unwinding was over.
    case late
    /// There is no unwinder here, or no register to begin with.
    case unsupported

    /// - Parameter stop: `mp_stop` of `CUnwind`; nil is made of the outermost frame and of numbers that are not known.
    package init?(stop: UInt32) {
      let reasons: [Self?] = [nil, .limit, .loop, .unreadable, .unknown, .late, .unsupported]
      guard reasons.indices.contains(Int(stop)), let reason = reasons[Int(stop)] else { return nil }
      self = reason
    }

    /// The line that ends the stack in a text report.
    package var line: String { Self.title + text }

    /// Finds the reason in such a line, with or without blanks around it.
    package init?(line: some StringProtocol) {
      guard let found = Self.allCases.first(where: { line.hasSuffix($0.line) && line.drop { $0 == " " } == $0.line })
      else { return nil }
      self = found
    }

    private static let title = "(the stack is cut here: "

    private var text: String {
      switch self {
      case .limit: "more frames follow than are kept)"
      case .loop: "it leads back to itself)"
      case .unreadable: "its memory could not be read)"
      case .unknown: "nothing tells the caller of this address)"
      case .late: "the time for it was over)"
      case .unsupported: "it could not be unwound)"
      }
    }
  }
}
