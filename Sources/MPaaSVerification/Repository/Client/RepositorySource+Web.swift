import MPaaSLock
import MPaaSSupport
package import MPaaSTime
package import MPaaSTransfer

extension RepositorySource {
  /// Files under `base` on a web server.
  ///
  /// - Parameters:
  ///   - scratch: A folder for metadata that is on its way.
  ///   - pace: How slow the server may be.
  ///   - deadline: When every transfer ends; nil for never.
  package static func web(
    _ base: String, _ client: HTTPClient, scratch: String, pace: RepositoryPace = RepositoryPace(),
    until deadline: MonotonicInstant? = nil
  ) -> RepositorySource {
    var source = RepositorySource(
      metadata: { name, limit throws(TrustError) in
        var request = HTTPRequest(base + "/" + name)
        request.limits.size = UInt64(limit)
        request.limits.keep(to: pace, until: deadline)
        let received = ReceivedFile()
        // The file is read when it is whole and never gets a name: only what is verified is kept.
        let download = HTTPDownload(request, to: scratch + "/fetched", accept: received.take)
        do throws(HTTPError) {
          _ = try client.download(download)
        } catch {
          if error.isMissing { return nil }
          if let bytes = received.bytes, error.code == .notAccepted { return bytes }
          if case .tooLarge = error.code { throw .tooLarge(name, limit) }
          throw TrustError(error)
        }
        return received.bytes
      },
      target: { name, wanted throws(TrustError) in
        var request = HTTPRequest(base + "/" + name)
        request.limits.size = UInt64(wanted.length)
        request.limits.keep(to: pace, until: deadline)
        var download = HTTPDownload(request, to: wanted.path, accept: wanted.accept, progress: wanted.progress)
        download.partial = wanted.partial
        do throws(HTTPError) {
          _ = try client.download(download)
        } catch {
          if error.isMissing { return false }
          if error.code == .notAccepted { throw TrustError(.targetDigestMismatch, ["name": name]) }
          if case .tooLarge = error.code { throw TrustError(.targetDigestMismatch, ["name": name]) }
          throw TrustError(error)
        }
        return true
      }, address: { base + "/" + $0 })
    source.until = { earlier in
      .web(base, client, scratch: scratch, pace: pace, until: deadline.map { min($0, earlier) } ?? earlier)
    }
    return source
  }
}

/// A file's bytes, taken when it had come.
private final class ReceivedFile: Sendable {
  private let content = Lock<[UInt8]?>(nil)

  var bytes: [UInt8]? { content.withLock { $0 } }

  @Sendable func take(_ path: String) -> Bool {
    let bytes = try? Bytes.reading(path).array
    content.withLock { $0 = bytes }
    return false
  }
}

extension HTTPError {
  /// Stores of objects that may not be listed answer 403 for a name that does not exist.
  fileprivate var isMissing: Bool { isAbsence || code == .status(403) }
}

extension TrustError {
  static func tooLarge(_ name: String, _ limit: Int) -> TrustError {
    TrustError(.metadataTooLarge, ["name": name, "limit": ByteCount(UInt64(clamping: limit)).description])
  }
}
