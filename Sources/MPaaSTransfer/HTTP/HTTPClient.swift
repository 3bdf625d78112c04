/// What to get, and where to.
package struct HTTPDownload: Sendable {
  package var request: HTTPRequest
  /// Where the file will be; its folder must be there.
  package var target: String
  /// Where what came is kept when the transfer or the program ends early, for the next download to go on with.
  ///
  /// nil keeps nothing. Only for files that `accept` knows by their content: nothing else tells that the parts belong
  /// together.
  package var partial: String?
  /// Asked about the whole file before it gets its name; false leaves nothing of it.
  package var accept: @Sendable (_ path: String) -> Bool
  package var progress: @Sendable (HTTPProgress) -> Void

  package init(
    _ request: HTTPRequest, to target: String, accept: @escaping @Sendable (_ path: String) -> Bool = { _ in true },
    progress: @escaping @Sendable (HTTPProgress) -> Void = { _ in }
  ) {
    self.request = request
    self.target = target
    self.accept = accept
    self.progress = progress
  }
}

/// Gets files over HTTP; tests put another value in its place.
package struct HTTPClient: Sendable {
  /// Gets a URL into a file: written beside and renamed, so that nobody sees a part of it.
  ///
  /// It waits for the end. A cancelled task ends the transfer.
  package var download: @Sendable (HTTPDownload) throws(HTTPError) -> HTTPResponse

  package init(download: @escaping @Sendable (HTTPDownload) throws(HTTPError) -> HTTPResponse) {
    self.download = download
  }

  /// libcurl, which is loaded at the first transfer.
  ///
  /// - Parameters:
  ///   - userAgent: How the client names itself to servers.
  ///   - certificates: A file of certificates to trust instead of the system's.
  package static func live(userAgent: String, certificates: String? = nil) -> HTTPClient {
    let sessions = CurlSessions()
    return HTTPClient { download throws(HTTPError) in
      let url = download.request.url
      if let missing = sessions.missing { throw HTTPError(.noLibrary, url: url, reason: missing) }
      let transfer = try CurlTransfer(download, userAgent: userAgent, certificates: certificates)
      return try sessions.with { session throws(HTTPError) in
        guard let session else { throw HTTPError(.noLibrary, url: url, reason: "curl_easy_init") }
        return try transfer.run(session)
      }
    }
  }
}
