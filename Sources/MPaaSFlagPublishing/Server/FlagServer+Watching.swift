package import MPaaSFlags
package import MPaaSProtocol
import MPaaSSupport

extension FlagServer {
  /// The versions after one, the oldest first.
  package func versions(after known: Int) async throws(FlagError) -> [FlagVersion] {
    var found: [FlagVersion] = []
    while true {
      let page = try await history(before: found.last?.version, limit: 100).versions
      let new = page.prefix { $0.version > known }
      found += new
      guard !new.isEmpty, new.count == page.count else { return found.reversed() }
    }
  }

  /// Follows new versions until the caller is cancelled: by the server's stream, and by questions where it has none.
  ///
  /// - Parameters:
  ///   - start: The version after which all are told; nil for those that come from now on.
  ///   - wait: Waits for the time of the next question, or until a stream that ended is opened again.
  ///   - failed: Gets the first of the reasons why the server could not be asked since it last answered.
  ///   - changed: Gets each version once, in their order.
  package func watch(
    after start: Int?, wait: () async -> Void, failed: (FlagError) -> Void, changed: (FlagVersion) throws -> Void
  ) async throws {
    var known: Int
    if let start { known = start } else { known = try await history(limit: 1).versions.first?.version ?? 0 }
    func tell(_ version: FlagVersion) throws {
      guard version.version > known else { return }
      try changed(version)
      known = version.version
    }
    var (isFailing, hasStream) = (false, true)
    while !Task.isCancelled {
      var news: [FlagVersion] = []
      do throws(FlagError) {
        news = try await versions(after: known)
        isFailing = false
      } catch {
        guard !Task.isCancelled else { return }
        guard error.code.exit == .tryAgain || error.code.exit == .unreachable else { throw error }
        if !isFailing { failed(error) }
        isFailing = true
      }
      for version in news { try tell(version) }
      if hasStream, !isFailing {
        let stream = FlagVersionStream(self, after: known)
        for await version in stream.versions { try tell(version) }
        // A server, or what stands before it, that let nothing through would hold changes back each time.
        hasStream = stream.hasBegun
      }
      await wait()
    }
  }
}
