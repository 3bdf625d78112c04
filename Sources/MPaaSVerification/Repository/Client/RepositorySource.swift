import MPaaSSupport
package import MPaaSTime
package import MPaaSTransfer

/// One place that files of a repository come from.
///
/// A name is a path of percent-encoded parts: `2.root.json`,
/// `patches/ab12….cart.mpatch`.
package struct RepositorySource: Sendable {
  /// The bytes of a metadata file, at most `limit`; nil where this place has no such file.
  package var metadata: @Sendable (_ name: String, _ limit: Int) throws(TrustError) -> [UInt8]?
  /// Brings a target into a file; false where this place has none.
  package var target: @Sendable (_ name: String, _ wanted: TargetRequest) throws(TrustError) -> Bool
  /// The address where another client finds the file: a URL, or the path of a file that is there; nil where no other
  /// can.
  package var address: @Sendable (_ name: String) -> String?
  /// The same place with a moment at which every transfer ends; nil where nothing can take long.
  package var until: (@Sendable (MonotonicInstant) -> RepositorySource)?

  package init(
    metadata: @escaping @Sendable (_ name: String, _ limit: Int) throws(TrustError) -> [UInt8]?,
    target: @escaping @Sendable (_ name: String, _ wanted: TargetRequest) throws(TrustError) -> Bool,
    address: @escaping @Sendable (_ name: String) -> String? = { _ in nil }
  ) {
    self.metadata = metadata
    self.target = target
    self.address = address
  }
}

/// The file that a source is to bring, and where to.
package struct TargetRequest: Sendable {
  /// The final path of the file once it is accepted; its folder is there.
  package let path: String
  /// The path of what came of an unfinished download, and stays over the end of the program.
  package let partial: String
  /// Bytes; no source takes more.
  package let length: Int
  /// Asked about the whole file before it gets its name.
  package let accept: @Sendable (_ path: String) -> Bool
  package let progress: @Sendable (HTTPProgress) -> Void

  package init(
    path: String, partial: String, length: Int, accept: @escaping @Sendable (_ path: String) -> Bool,
    progress: @escaping @Sendable (HTTPProgress) -> Void = { _ in }
  ) {
    self.path = path
    self.partial = partial
    self.length = length
    self.accept = accept
    self.progress = progress
  }
}

/// The sources that a client gets files from: mirrors of the metadata and mirrors of the targets, tried in order.
public struct RepositoryFetch: Sendable {
  package var metadata: [RepositorySource]
  package var targets: [RepositorySource]

  package init(metadata: [RepositorySource], targets: [RepositorySource]) {
    self.metadata = metadata
    self.targets = targets
  }

  /// Takes addresses of folders: `https:`, `http:` or `file:` URLs, or paths.
  ///
  /// - Throws: `TrustError` `repository-bad-url` where one is none of these.
  package init(
    metadata: [String], targets: [String], http: HTTPClient, scratch: String, pace: RepositoryPace = RepositoryPace()
  ) throws(TrustError) {
    self.metadata = []
    self.targets = []
    for address in metadata { self.metadata.append(try .at(address, http: http, scratch: scratch, pace: pace)) }
    for address in targets { self.targets.append(try .at(address, http: http, scratch: scratch, pace: pace)) }
  }

  /// A repository over HTTP, or in a folder, as `mpaas registry` lays it out: `metadata/` and `targets/`.
  ///
  /// - Parameters:
  ///   - mirrors: Addresses of the repository, in the order in which they are tried.
  ///   - scratch: A folder for files that are on their way.
  ///   - pace: How slow a mirror may be.
  /// - Throws: `TrustError` `repository-bad-url`.
  public init(
    mirrors: [String], scratch: String, userAgent: String = "mpaas", pace: RepositoryPace = RepositoryPace()
  ) throws(TrustError) {
    try self.init(
      metadata: mirrors.map { $0.withoutTrailingSlash + "/metadata" },
      targets: mirrors.map { $0.withoutTrailingSlash + "/targets" }, http: .live(userAgent: userAgent),
      scratch: scratch, pace: pace)
  }
}

extension String {
  fileprivate var withoutTrailingSlash: Substring {
    var rest = self[...]
    while rest.hasSuffix("/") { rest = rest.dropLast() }
    return rest
  }
}

extension RepositorySource {
  /// The source at an address: an `https:`, `http:` or `file:` URL, or a path.
  package static func at(
    _ address: String, http: HTTPClient, scratch: String, pace: RepositoryPace = RepositoryPace()
  ) throws(TrustError) -> RepositorySource {
    let base = String(address.withoutTrailingSlash)
    let scheme = address.prefix { $0 != ":" }.lowercased()
    guard address.has("://") else { return .folder(base) }
    switch scheme {
    case "http", "https": return .web(base, http, scratch: scratch, pace: pace)
    case "file":
      let path = base.dropFirst("file://".count)
      // `file://localhost/…` is this machine too; other hosts are not reached this way.
      let local = path.hasPrefix("localhost/") ? path.dropFirst("localhost".count) : path
      guard local.hasPrefix("/"), let decoded = PercentEncoding.decode(String(local)) else { break }
      return .folder(decoded)
    default: break
    }
    throw TrustError(.repositoryBadURL, ["url": address])
  }
}
