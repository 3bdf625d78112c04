import MPaaSSupport
package import MPaaSSymbols
package import MPaaSTransfer

/// Sends debug files to a symbol server that takes files by PUT, to the places where its layout has them.
package struct SymbolUpload: Sendable {
  /// A file and what the server did with it.
  package struct Sent: Sendable, Equatable {
    package let url: String
    /// False for a file that the server had.
    package let isNew: Bool
    /// Bytes.
    package let size: UInt64
  }

  package let server: SymbolServer
  private let token: String?
  private let client: HTTPClient

  /// - Parameter token: Goes to the server as a bearer's; nil for none.
  package init(to server: SymbolServer, token: String?, client: HTTPClient) {
    self.server = server
    self.token = token
    self.client = client
  }

  /// Sends files of a store one after another; those that the server has are not sent again.
  ///
  /// - Throws: `HTTPError` of the first that the server does not take.
  package func send(_ files: [StoredSymbols], from store: SymbolStore) async throws(HTTPError) -> [Sent] {
    var sent: [Sent] = []
    for file in files {
      let query = SymbolLayout.Query(file.buildID, file.role, name: file.name)
      guard let path = server.layout.paths(for: query).first else { continue }
      let url = server.url + "/" + PercentEncoding.encode(path, keeping: "/")
      sent.append(try await send(file, store.path(of: file), to: url))
    }
    return sent
  }

  private func send(_ file: StoredSymbols, _ path: String, to url: String) async throws(HTTPError) -> Sent {
    if try await client.answer(to: call("HEAD", url)).isSuccess { return Sent(url: url, isNew: false, size: file.size) }
    var put = call("PUT", url)
    put.headers.append((name: "Content-Type", value: "application/octet-stream"))
    put.body = [.file(path: path, offset: 0, size: file.size)]
    _ = try await client.answer(to: put).succeeded(url)
    return Sent(url: url, isNew: true, size: file.size)
  }

  private func call(_ method: String, _ url: String) -> HTTPCall {
    HTTPCall(method, url, headers: token.map { [(name: "Authorization", value: "Bearer \($0)")] } ?? [])
  }
}
