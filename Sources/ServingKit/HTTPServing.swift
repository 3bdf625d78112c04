import CommandKit
package import MPaaSSupport
package import MPaaSTerminal
package import MPaaSToolSupport
package import MPaaSTransferTools

/// Requests that are answered over HTTP until the program is asked to end, and told with `--verbose`.
package struct HTTPServing: ServedWork {
  package typealias Output = ExitStatus

  /// The answerer; called on many threads at once.
  package enum Answers: Sendable {
    /// The answer to the path of a request, percent escapes taken out: GET and HEAD.
    case paths(@Sendable (_ path: String) -> HTTPAnswer)
    /// Requests of any method, with bodies of so many bytes at most.
    case requests(bodyLimit: Int, @Sendable (ServedRequest) -> HTTPAnswer)
  }

  /// `HOST:PORT`; port 0 lets the system choose.
  package let listen: String
  package let answers: Answers
  package let results: ResultSink
  /// The result that is put once it listens, by the server's address.
  package let ready: @Sendable (_ url: String) -> any Presentable
  /// The work for every SIGHUP, with `.reload`, and each second; nil where SIGHUP ends the program.
  package let meanwhile: (@Sendable (EndRequest.Wish?) -> Void)?

  package init(
    on listen: String, _ answers: Answers, to results: ResultSink,
    ready: @escaping @Sendable (_ url: String) -> any Presentable,
    meanwhile: (@Sendable (EndRequest.Wish?) -> Void)? = nil
  ) {
    self.listen = listen
    self.answers = answers
    self.results = results
    self.ready = ready
    self.meanwhile = meanwhile
  }
}
