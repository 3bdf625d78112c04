package import MPaaSSupport
package import MPaaSTime

/// The request, and the patience for it.
package struct HTTPRequest: Sendable, Equatable {
  /// The greatest time and size of a transfer.
  package struct Limits: Sendable, Equatable {
    package var connect: TimeSpan = .seconds(15)
    /// The transfer ends where fewer than `slowBytes` bytes come in this time; nil where it may stand still.
    package var stall: TimeSpan? = .seconds(90)
    package var slowBytes = 100 << 10
    /// From the first to the last byte; nil where it does not matter.
    package var total: TimeSpan?
    /// The moment at which the transfer ends, whatever is under way: pauses and further attempts included; nil for
    /// none.
    package var deadline: MonotonicInstant?
    /// Bytes of the whole answer; nil where any size is fine.
    package var size: UInt64?
    package var redirects = 8
    /// The number of times that a transfer that broke off is taken up again.
    package var resumptions = 2

    package init() {}

    package var isPastDeadline: Bool { deadline.map { MonotonicInstant.now >= $0 } ?? false }

    /// The reason given by a transfer that its deadline ended.
    static let deadlineReason = "the time for all of it is over"
  }

  /// `http:` or `https:`.
  package var url: String
  package var headers: [(name: String, value: String)]
  package var limits: Limits
  /// Tells whether the server may compress what it sends; a broken transfer then begins anew.
  package var acceptsCompression = false

  package init(_ url: String, headers: [(name: String, value: String)] = [], limits: Limits = Limits()) {
    self.url = url
    self.headers = headers
    self.limits = limits
  }

  package static func == (left: HTTPRequest, right: HTTPRequest) -> Bool {
    left.url == right.url && left.limits == right.limits && left.acceptsCompression == right.acceptsCompression
      && left.headers.elementsEqual(right.headers) { $0 == $1 }
  }
}

/// The answer to a request whose body went into a file.
package struct HTTPResponse: Sendable, Equatable {
  package let status: Int
  /// Bytes of the body.
  package let size: UInt64
  /// The last answer's headers, names in lower case.
  package let headers: [String: String]

  package init(status: Int, size: UInt64, headers: [String: String] = [:]) {
    self.status = status
    self.size = size
    self.headers = headers
  }
}

/// The progress of a transfer.
package struct HTTPProgress: Sendable, Equatable {
  package let received: UInt64
  /// nil where the server does not tell.
  package let total: UInt64?

  package init(received: UInt64, total: UInt64?) {
    self.received = received
    self.total = total
  }
}

/// The reason why a transfer did not come to its end, and left nothing.
package struct HTTPError: Error, Sendable, Equatable {
  package enum Code: Sendable, Equatable {
    /// libcurl is not installed, or lacks something.
    case noLibrary
    case badURL
    /// No such host, no connection, or it ended early again and again.
    case unreachable
    /// The server's certificate, or the encryption.
    case notTrusted
    case timedOut
    case tooLarge(limit: UInt64)
    /// The server answered with a status of 400 or more.
    case status(Int)
    case tooManyRedirects
    case cancelled
    /// The answer is not what was wanted.
    case notAccepted
    /// The bytes have not the digest that the server states.
    case damaged
    case file(FileError)
    case other
  }

  package let code: Code
  package let url: String
  /// The words of libcurl or of the system; English.
  package let reason: String

  package init(_ code: Code, url: String, reason: String = "") {
    self.code = code
    self.url = url
    self.reason = reason
  }

  /// Tells whether the server has no such thing, as opposed to having failed.
  package var isAbsence: Bool { code == .status(404) || code == .status(410) }
}

extension HTTPError: DiagnosticConvertible {
  package var diagnostic: Diagnostic {
    var values = ["url": url, "reason": reason]
    switch code {
    case .file(let error): return error.diagnostic
    case .noLibrary: return Diagnostic("curl-missing", values, exit: .unreachable)
    case .badURL: return Diagnostic("url-malformed", values, exit: .usage)
    case .unreachable: return Diagnostic("server-unreachable", values, exit: .unreachable)
    case .notTrusted: return Diagnostic("server-not-trusted", values, exit: .notPermitted)
    case .timedOut: return Diagnostic("server-timed-out", values, exit: .tryAgain)
    case .tooManyRedirects: return Diagnostic("server-redirects", values, exit: .unreachable)
    case .cancelled: return Diagnostic("transfer-cancelled", values, exit: .interrupted)
    case .notAccepted: return Diagnostic("transfer-not-accepted", values, exit: .malformedInput)
    case .damaged: return Diagnostic("transfer-damaged", values, exit: .malformedInput)
    case .other: return Diagnostic("transfer-failed", values, exit: .unreachable)
    case .tooLarge(let limit):
      values["limit"] = ByteCount(limit).description
      return Diagnostic("transfer-too-large", values, exit: .unreachable)
    case .status(let status):
      values["status"] = String(status)
      // A server that is busy or broken may be well soon; one that refuses will go on refusing.
      let isPassing = status == 429 || status >= 500
      return Diagnostic(
        isPassing ? "server-failed" : "server-refused", values, exit: isPassing ? .tryAgain : .unreachable)
    }
  }
}
