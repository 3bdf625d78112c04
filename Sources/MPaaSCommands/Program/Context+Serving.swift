import MPaaSSupport
import MPaaSTerminal
import MPaaSTransfer

extension Context {
  /// Serves over HTTP until the program is asked to end; requests are told with `--verbose`.
  ///
  /// - Parameter ready: What is said, with the server's address, once it listens.
  func serve(
    on listen: String, handler: @escaping HTTPServer.Handler, ready: (_ url: String) -> some Presentable
  ) throws {
    let terminal = terminal
    let server = try HTTPServer(
      listen: listen,
      noteRequest: { method, path, status in
        // A path is a stranger's text: what a terminal would obey is left out.
        let text = String(path.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7f ? "?" : Character($0) })
        terminal.detail(StyledText("\(method) \(text) \(status)", .faint))
      }, handler: handler)
    // Before anybody can know that it is ready to be ended.
    let end = EndRequest()
    try terminal.print(ready(server.url))
    withExtendedLifetime(server) { end.wait() }
  }
}
