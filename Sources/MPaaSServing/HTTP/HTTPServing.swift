import MPaaSHTTPServer
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport
import MPaaSTransferTools
import ServingKit

/// Requests that are answered over HTTP until the program is asked to end, and told with `--verbose`.
struct HTTPServing {
  /// The answerer; called on many threads at once.
  enum Answers: Sendable {
    /// The answer to the path of a request, percent escapes taken out: GET and HEAD.
    case paths(@Sendable (_ path: String) -> HTTPAnswer)
    /// Requests of any method, with bodies of so many bytes at most.
    case requests(bodyLimit: Int, @Sendable (ServedRequest) -> HTTPAnswer)
  }

  /// `HOST:PORT`; port 0 lets the system choose.
  private let listen: String
  private let answers: Answers
  /// The result that is put once it listens, by the server's address.
  private let ready: (_ url: String) -> any Presentable
  /// The work for every SIGHUP, with `.reload`, and each second; nil where SIGHUP ends the program.
  private let meanwhile: ((EndRequest.Wish?) -> Void)?

  init(
    on listen: String, _ answers: Answers, ready: @escaping (_ url: String) -> any Presentable,
    meanwhile: ((EndRequest.Wish?) -> Void)? = nil
  ) {
    self.listen = listen
    self.answers = answers
    self.ready = ready
    self.meanwhile = meanwhile
  }

  /// Serves until the program is asked to end.
  func run(in context: Context, _ results: ResultSink) throws -> ExitStatus {
    let server = try server(context.terminal)
    // Before anybody can know that it is ready to be ended.
    let end = EndRequest(reloads: meanwhile != nil)
    try results.put(ready(server.url))
    withExtendedLifetime(server) {
      guard let meanwhile else { return end.wait() }
      while true {
        let wish = end.next(within: .seconds(1))
        if wish == .end { return }
        meanwhile(wish)
      }
    }
    return .done
  }

  private func server(_ terminal: Terminal) throws(HTTPServerError) -> HTTPServer {
    let note: @Sendable (String, String, Int) -> Void = { terminal.note(request: $0, $1, $2) }
    return switch answers {
    case .paths(let handler): try HTTPServer(listen: listen, noteRequest: note, handler: handler)
    case .requests(let bodyLimit, let handler):
      try HTTPServer(listen: listen, bodyLimit: bodyLimit, noteRequest: note, requestHandler: handler)
    }
  }
}
