import MPaaSTime

extension HTTPClient {
  /// libcurl, which is loaded at the first transfer.
  ///
  /// - Parameters:
  ///   - userAgent: How the client names itself to servers.
  ///   - certificates: A file of certificates to trust instead of the system's.
  package static func live(userAgent: String, certificates: String? = nil) -> HTTPClient {
    live(userAgent: userAgent, settings: HTTPSettings(certificates: certificates))
  }

  /// The same with more to say about the way to servers.
  package static func live(userAgent: String, settings: HTTPSettings) -> HTTPClient {
    // One pool of connections for all transfers; what differs between them is said anew.
    let pool = CurlMultiPool()
    let sessions = CurlSessions()
    let download: @Sendable (HTTPDownload) throws(HTTPError) -> HTTPResponse = { download throws(HTTPError) in
      let downloads = ParallelDownloads(
        policy: DownloadPolicy(for: download.request), userAgent: userAgent, settings: settings, pool: pool)
      let limits = download.request.limits
      do throws(HTTPError) {
        return try downloads.wait(for: DownloadJob(download), isCancelled: { limits.isPastDeadline }) { event in
          if case .received(_, let progress) = event { download.progress(progress) }
        }
      } catch {
        throw error.endedByDeadline(of: limits, url: download.request.url)
      }
    }
    return HTTPClient(download: download) { call throws(HTTPError) in
      if let missing = sessions.missing { throw HTTPError(.noLibrary, url: call.url, reason: missing) }
      return try sessions.with { session throws(HTTPError) in
        guard let session else { throw HTTPError(.noLibrary, url: call.url, reason: "curl_easy_init") }
        return try CurlCall(call).run(session, userAgent: userAgent, settings)
      }
    }
  }
}

extension DownloadPolicy {
  /// One server, which is asked again only for the rest of an answer that broke off, and at once.
  fileprivate init(for request: HTTPRequest) {
    self.init()
    parallel = 1
    attempts = request.limits.resumptions + 1
    resumesOnly = true
    firstPause = .zero
    limits = request.limits
  }
}

extension DownloadJob {
  fileprivate init(_ download: HTTPDownload) {
    self.init([download.request.url], to: download.target, partial: download.partial, accept: download.accept)
    headers = download.request.headers
    acceptsCompression = download.request.acceptsCompression
  }
}
