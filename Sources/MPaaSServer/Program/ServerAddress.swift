import MPaaSProtocol
import Synchronization

/// How clients reach the server.
package final class ServerAddress: Sendable {
  private let known: Mutex<String>
  private let isFixed: Bool

  init(_ configuration: ServerConfiguration) {
    var url = configuration.publicURL ?? ""
    while url.hasSuffix("/") { url.removeLast() }
    isFixed = !url.isEmpty
    known = Mutex(url)
  }

  /// `https://console.example.com`, without a slash at its end.
  package var url: String { known.withLock { $0 } }

  /// Tells where it listens; what was configured stays.
  func listens(host: String, port: Int, isSecure: Bool) {
    guard !isFixed else { return }
    let host = host.contains(":") ? "[\(host)]" : host
    known.withLock { $0 = "\(isSecure ? "https" : "http")://\(host):\(port)" }
  }
}
