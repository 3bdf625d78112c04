import Hummingbird
import MPaaSProtocol

/// The server's program: reads its configuration and serves until it is ended.
package enum ServerProgram {
  /// - Parameter arguments: `--configuration JSON`, a `ServerConfiguration`.
  /// - Returns: The exit status.
  package static func main(_ arguments: [String]) async -> Int32 {
    let router = Router()
    router.get("/health") { _, _ in HTTPResponse.Status.ok }
    let application = Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)))
    try? await application.runService()
    return 0
  }
}
