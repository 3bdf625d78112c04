package import CommandKit
package import MPaaSSupport
package import MPaaSTerminal
package import MPaaSTransfer

extension Context {
  /// Serves over HTTP until the program is asked to end; requests are told with `--verbose`.
  ///
  /// - Parameter ready: What is said, with the server's address, once it listens.
  package func serve(
    on listen: String, handler: @escaping HTTPServer.Handler, ready: (_ url: String) -> some Presentable
  ) throws {
    let server = try HTTPServer(listen: listen, noteRequest: noteRequest, handler: handler)
    // Before anybody can know that it is ready to be ended.
    let end = EndRequest()
    try terminal.print(ready(server.url))
    withExtendedLifetime(server) { end.wait() }
  }

  /// Serves requests of any method with their bodies until the program is asked to end.
  ///
  /// - Parameters:
  ///   - bodyLimit: The most bytes that a body may have.
  ///   - meanwhile: Called for every SIGHUP, with `.reload`, and each second.
  package func serve(
    on listen: String, bodyLimit: Int, requestHandler: @escaping HTTPServer.RequestHandler,
    ready: (_ url: String) -> some Presentable, meanwhile: (EndRequest.Wish?) -> Void
  ) throws {
    let server = try HTTPServer(
      listen: listen, bodyLimit: bodyLimit, noteRequest: noteRequest, requestHandler: requestHandler)
    let end = EndRequest(reloads: true)
    try terminal.print(ready(server.url))
    withExtendedLifetime(server) {
      while true {
        let wish = end.next(within: .seconds(1))
        if wish == .end { return }
        meanwhile(wish)
      }
    }
  }

  private var noteRequest: @Sendable (_ method: String, _ path: String, _ status: Int) -> Void {
    let terminal = terminal
    return { method, path, status in
      // A path is a stranger's text: what a terminal would obey is left out.
      let text = String(path.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7f ? "?" : Character($0) })
      terminal.detail(StyledText("\(method) \(text) \(status)", .faint))
    }
  }
}
