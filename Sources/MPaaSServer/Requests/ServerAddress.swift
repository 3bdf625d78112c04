import HTTPTypes
package import Hummingbird
import MPaaSProtocol
import Synchronization

/// The address by which clients reach the server.
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

  /// The address of the server for the sender of a request: by the name that they asked for, unless one is configured.
  package func url(for request: Request) -> String {
    guard !isFixed, let host = request.head.authority, !host.isEmpty,
      host.utf8.allSatisfy({ $0 > 32 && $0 < 127 && !"/\\?#@<>\"'".utf8.contains($0) })
    else { return url }
    return "\(url.prefix { $0 != ":" })://\(host)"
  }

  /// Tells where it listens; what was configured stays.
  func listens(host: String, port: Int, isSecure: Bool) {
    guard !isFixed else { return }
    let host = host.contains(":") ? "[\(host)]" : host
    known.withLock { $0 = "\(isSecure ? "https" : "http")://\(host):\(port)" }
  }
}
