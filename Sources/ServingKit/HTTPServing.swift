import CommandKit
package import MPaaSSupport
package import MPaaSTerminal
package import MPaaSTransfer

/// Requests that are answered over HTTP until the program is asked to end, and told with `--verbose`.
package struct HTTPServing: ServedWork {
  package typealias Output = Nothing

  /// Who answers; called on many threads at once.
  package enum Answers: Sendable {
    /// What paths name, percent escapes taken out: GET and HEAD.
    case paths(@Sendable (_ path: String) -> HTTPAnswer)
    /// Requests of any method, with bodies of so many bytes at most.
    case requests(bodyLimit: Int, @Sendable (ServedRequest) -> HTTPAnswer)
  }

  /// `HOST:PORT`; port 0 lets the system choose.
  package let listen: String
  package let answers: Answers
  /// What is said, with the server's address, once it listens.
  package let ready: @Sendable (_ url: String) -> any Presentable
  /// What is done for every SIGHUP, with `.reload`, and each second; nil where SIGHUP ends the program.
  package let meanwhile: (@Sendable (EndRequest.Wish?) -> Void)?

  package init(
    on listen: String, _ answers: Answers, ready: @escaping @Sendable (_ url: String) -> any Presentable,
    meanwhile: (@Sendable (EndRequest.Wish?) -> Void)? = nil
  ) {
    self.listen = listen
    self.answers = answers
    self.ready = ready
    self.meanwhile = meanwhile
  }
}
