package import CommandKit
import MPaaSHTTPServer
package import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport
package import ServingKit

extension HTTPServing: PerformedWork {
  package func perform(in context: Context) throws -> ExitStatus {
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
