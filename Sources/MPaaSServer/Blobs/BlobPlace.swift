import MPaaSDigests
import MPaaSObjectStore
import MPaaSSupport
import MPaaSTransfer

/// The place of a server's blobs: its data folder, another folder, or a bucket.
enum BlobPlace {
  case own
  case folder(String)
  case bucket(S3Address)

  /// - Parameter text: The path of a folder or `s3://…`; nil for the data folder.
  /// - Throws: `server-configuration`.
  init(_ text: String?) throws(ServerError) {
    guard let text else {
      self = .own
      return
    }
    guard text.hasPrefix("s3://") else {
      self = .folder(text)
      return
    }
    guard let address = S3Address(text) else { throw ServerError(.configuration, ["reason": "blobs: \(text)"]) }
    self = .bucket(address)
  }

  /// Opens the place for a data folder that has its name; makes a folder where it is missing, and waits for a bucket.
  ///
  /// - Parameters:
  ///   - console: The name of the console, where it is not that of the data folder alone.
  ///   - environment: Has the key of a bucket.
  ///   - patience: Seconds for which a bucket that is away is waited for.
  /// - Throws: `ServerError`, `FileError`.
  func open(
    for data: String, of console: String?, _ disk: DiskWork, environment: [String: String], patience: Double
  ) throws -> any BlobStore {
    let name = console ?? DataFolderName(data).own
    switch self {
    case .own:
      try FileSystem.remove(Self.note(of: data))
      return FolderBlobs(try BlobFolder("\(data)/blobs"), disk)
    case .folder(let path):
      let folder = try BlobFolder(path)
      let whole = FileSystem.resolved(path) ?? path
      if let name { try BlobOwner(name, data).claim(whole) }
      try note(whole, data)
      return FolderBlobs(folder, disk)
    case .bucket(let address):
      let store = try Self.store(address, environment)
      // Only the folder that the console began with gives a bucket its name.
      let isFirst = console == nil || console == DataFolderName(data).own
      let naming = ContinuousClock.now + .seconds(isFirst ? 0 : min(patience, Self.namingTime))
      var owner = try Self.owner(of: address, in: store, or: isFirst ? name : nil, patience)
      while owner == nil, ContinuousClock.now < naming {
        StorePatience.pause(4)
        owner = try Self.owner(of: address, in: store, or: nil, patience)
      }
      if owner != nil || !isFirst { try BlobOwner(name, data).compare(owner ?? "-", address.shown) }
      try note(address.shown, data)
      return S3Blobs(store)
    }
  }

  /// The bucket that several servers of a console may share; nil where the place is a folder.
  var bucket: String? {
    if case .bucket(let address) = self { address.shown } else { nil }
  }

  private static func store(_ address: S3Address, _ environment: [String: String]) throws(ServerError) -> S3Store {
    let variables = S3Variables(environment)
    guard let signature = variables.signature else { throw ServerError(.blobsKey, ["blobs": address.shown]) }
    let endpoint = try variables.endpoint.map { text throws(ServerError) in
      guard let endpoint = S3Address.endpoint(text) else {
        throw ServerError(.configuration, ["reason": "AWS_ENDPOINT_URL: \(text)"])
      }
      return endpoint
    }
    let place = S3Place(address, endpoint: endpoint, region: variables.region)
    return S3Store(place, signature, userAgent: "mpaas")
  }

  /// Seconds in which the server that a console begins with gives the bucket the name that the database has already.
  private static let namingTime = 5.0

  /// The owner of the blobs in a bucket, which is waited for.
  private static func owner(
    of address: S3Address, in store: S3Store, or name: String?, _ patience: Double
  ) throws(ServerError) -> String? {
    var once = store
    once.patience.tries = 1
    do throws(S3Error) {
      return try StorePatience(patience).opened(passes: { $0.code == .away }) { () throws(S3Error) in
        try BlobOwner.owner(in: once, or: name)
      }
    } catch {
      throw ServerError(code(of: error), ["blobs": address.shown, "reason": error.reason])
    }
  }

  private static func code(of error: S3Error) -> ServerError.Code {
    switch error.code {
    case .away: .blobsUnreachable
    case .denied: .blobsDenied
    case .noBucket: .blobsBucket
    case .taken, .malformed, .unusable, .file: .blobsUnusable
    }
  }

  // MARK: - The note

  /// The file of a data folder that says where its blobs are, where that is elsewhere; backups need it.
  static func note(of data: String) -> String { data + "/blobs-at" }

  /// The place elsewhere that a data folder's server kept its blobs at last; nil where they are in the folder itself.
  static func noted(_ data: String) -> String? {
    (try? Bytes.reading(note(of: data), limit: 8192)).map {
      String(decoding: $0.buffer.prefix { $0 != 10 }, as: UTF8.self)
    }
  }

  private func note(_ place: String, _ data: String) throws {
    if Self.noted(data) == place { return }
    try StartStep.unlessFull { try Bytes((place + "\n").utf8).write(to: Self.note(of: data), mode: 0o600) }
  }
}

/// Ties blobs that are elsewhere to the data folder whose rows name them: what one server removes, another may need.
struct BlobOwner {
  /// The name of the file or object beside the blobs that says whose they are.
  static let name = "name"
  static let limit = 4096

  private let own: String?
  private let data: String

  init(_ own: String?, _ data: String) { (self.own, self.data) = (own, data) }

  /// Makes the blobs of a folder this data folder's, where they have no owner yet.
  ///
  /// - Throws: `server-blobs-taken`, `FileError`.
  func claim(_ folder: String) throws {
    let file = "\(folder)/\(Self.name)"
    if let bytes = try? Bytes.reading(file, limit: Self.limit) {
      return try compare(Self.text(bytes.buffer), folder)
    }
    guard let own else { return }
    try StartStep.unlessFull { try Bytes((own + "\n").utf8).write(to: file, mode: 0o600) }
  }

  /// - Throws: `server-blobs-taken`.
  func compare(_ owner: String, _ place: String) throws(ServerError) {
    if owner == own { return }
    throw ServerError(.blobsTaken, ["blobs": place, "name": owner, "own": data + "/name"])
  }

  /// The owner of the blobs in a bucket, which is made `own` where there is none; nil where neither is known.
  static func owner(in store: S3Store, or own: String?) throws(S3Error) -> String? {
    if let bytes = try store.bytes(of: name, limit: limit) { return text(bytes) }
    guard let own else { return nil }
    let bytes = Array((own + "\n").utf8)
    let digest = bytes.sha256.hexadecimal
    do throws(S3Error) {
      try store.put(name, .bytes(Bytes(bytes)), sha256: digest, isNew: true)
    } catch {
      // Stores that know no conditions say so in many ways; another server may have been faster.
      guard error.code == .taken || error.code == .malformed else { throw error }
      if error.code == .malformed { try store.put(name, .bytes(Bytes(bytes)), sha256: digest) }
    }
    return try store.bytes(of: name, limit: limit).map { text($0) }
  }

  private static func text(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: bytes.prefix { $0 > 0x20 }, as: UTF8.self)
  }
}
