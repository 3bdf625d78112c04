package import MPaaSTime

/// A file to bring, and the places that have it.
package struct DownloadJob: Sendable {
  /// `http:` or `https:` addresses of the same file, tried in this order.
  package var urls: [String]
  /// The final path of the file; its folder must be there.
  package var target: String
  /// The path of what came when the transfer or the program ends early, for a later run to go on with; nil keeps
  /// nothing.
  ///
  /// Beside it stands `partial.source`, which says what version of the file the bytes are of.
  package var partial: String?
  /// Tells whether `accept` knows the file by its content, so that parts of two versions are found out at the end; what
  /// of other files is of no certain version is fetched anew.
  package var isKnownByContent = true
  /// Bytes of the whole file; nil where it is unknown.
  package var size: UInt64?
  /// An entity tag of what is at `target` already: a server that has nothing newer answers 304, and the file stays.
  package var knownTag: String?
  package var headers: [(name: String, value: String)] = []
  /// Tells whether servers may compress what they send; what breaks off then begins anew.
  package var acceptsCompression = false
  /// Asked about the whole file before it gets its name, on another thread than the transfers go on; false leaves
  /// nothing of it, and another place is asked.
  package var accept: @Sendable (_ path: String) -> Bool

  package init(
    _ urls: [String], to target: String, partial: String? = nil, size: UInt64? = nil, knownTag: String? = nil,
    accept: @escaping @Sendable (_ path: String) -> Bool = { _ in true }
  ) {
    self.urls = urls
    self.target = target
    self.partial = partial
    self.size = size
    self.knownTag = knownTag
    self.accept = accept
  }
}

/// The events while files are brought; jobs are counted from 0 in the order in which they were given.
package enum DownloadEvent: Sendable, Equatable {
  /// A request goes out; `have` bytes are there already.
  case began(job: Int, url: String, have: UInt64)
  /// Told at most ten times a second for each job.
  case received(job: Int, HTTPProgress)
  /// A request failed, and another one goes out after a pause.
  case retrying(job: Int, HTTPError, after: TimeSpan)
  /// The file has its name, or will not come.
  case finished(job: Int, HTTPError?)
}

/// The patience of downloads.
package struct DownloadPolicy: Sendable, Equatable {
  /// Files that are on their way at the same time, and connections to one server.
  package var parallel = 16
  /// Requests for one file that may fail in passing, one after another.
  ///
  /// That is no answer, an answer that broke off, or a busy server; one that brought a mebibyte does not count.
  package var attempts = 6
  /// Tells whether only answers that broke off are asked for again.
  package var resumesOnly = false
  /// The pause before the second request is at most this long; each further one may be twice as long.
  package var firstPause: TimeSpan = .milliseconds(500)
  package var longestPause: TimeSpan = .seconds(30)
  /// A server that asks for a longer pause is not waited for.
  package var longestRetryAfter: TimeSpan = .seconds(120)
  package var limits = HTTPRequest.Limits()
  /// Tells whether files are on the disk before they have their names; not needed where every reader checks them.
  package var settlesFiles = true

  package init() {}
}
