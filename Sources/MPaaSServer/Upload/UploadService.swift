import Hummingbird
import MPaaSDatabase
import MPaaSDigests
import MPaaSProtocol
import MPaaSSupport
import NIOCore
import Synchronization

/// Takes uploads in, whatever protocol they come by: made, appended to, published once whole and verified, removed.
struct UploadService: Sendable {
  let services: ServerServices
  let claims = UploadClaims()
  private let hashes = UploadHashes()
  private let folder: String

  init(_ services: ServerServices) {
    self.services = services
    folder = services.configuration.data + "/uploads"
  }

  func path(of id: String) -> String { "\(folder)/\(id)" }

  /// The time when an upload that is touched now is given up.
  var expiry: Double { services.now() + Double(services.limits.expiry) * 3600 }

  /// An upload that there is; one of another app's token is none.
  ///
  /// - Throws: `server-not-found`, `server-upload-gone`, `server-upload-elsewhere`.
  func record(_ id: String, _ grant: Grant) async throws -> UploadRecord {
    let found = try await services.store.read { database -> (record: UploadRecord, isLost: Bool)? in
      try UploadRecord.find(id, database).map { ($0, try isLost($0, database)) }
    }
    guard let (found, isLost) = found, grant.app == nil || grant.app == found.details.app else {
      throw Refusal(.notFound)
    }
    if let expires = found.expires, expires <= services.now() { throw Refusal(.uploadGone, status: .gone) }
    // The client begins anew where the server of the bytes is gone.
    if isLost { throw Refusal(.notFound) }
    if isElsewhere(found) { throw Refusal(.uploadElsewhere) }
    return found
  }

  /// Tells whether the bytes of an upload are in the data folder of a server that is gone.
  func isLost(_ record: UploadRecord, _ database: any SQLDatabase) throws(SQLError) -> Bool {
    guard isElsewhere(record) else { return false }
    return try !ServerSession.isSignedIn(record.server, in: database)
  }

  /// Tells whether the bytes of an upload are in the data folder of another server.
  func isElsewhere(_ record: UploadRecord) -> Bool {
    guard let session = services.session, record.blob == nil, record.state != .refused else { return false }
    return record.server.isEmpty ? !session.isFirst : record.server != session.name
  }

  /// Makes an upload; gives the one of the same batch that is there.
  func make(
    _ wire: UploadRecord.Wire, _ details: UploadDetails, size: Int64?, _ grant: Grant,
    change: (inout UploadRecord) -> Void = { _ in }
  ) async throws -> (record: UploadRecord, isKnown: Bool) {
    // A report is read as a whole.
    let limits = services.limits
    let limit = details.kind == "crash" ? min(limits.upload, limits.decompressed) : limits.upload
    if let size, size > limit { throw Refusal(.tooLarge, ["limit": "\(limit)"]) }
    let moment = services.now()
    let quota = quota(of: grant, details)
    if let refusal = services.quotas.refusal(quota, bytes: size ?? 0, at: moment) { throw refusal }
    // A proxy finds the server of an upload by the beginning of its name.
    let folder = services.session?.name ?? ""
    let begin = String(folder.prefix(8))
    var fresh = UploadRecord(
      id: begin + Access.randomBytes(16 - begin.utf8.count / 2).hexadecimal, wire: wire, size: size, details: details,
      owner: grant.id, server: folder, created: moment, updated: moment, expires: expiry)
    change(&fresh)
    let record = fresh
    let (known, isKnown) = try await services.store.write { database -> (UploadRecord, Bool) in
      if let batch = record.details.batch {
        let same = try UploadRecord.all(
          database, where: "app = ? AND batch = ? AND state <> 'refused'", [.text(record.details.app), .text(batch)])
        if let found = same.first {
          // A server that is gone leaves nothing but what was whole.
          let isLost = try isLost(found, database)
          if found.state == .whole || !isLost && (found.expires ?? .infinity) > moment { return (found, true) }
          try found.remove(database)
        }
      }
      try record.save(database)
      return (record, false)
    }
    // One that was made at the same time may go beyond a quota; it is counted then.
    if isKnown {
      services.counts.duplicate("upload")
    } else {
      services.quotas.count(quota, bytes: size ?? 0, at: moment)
    }
    return (known, isKnown)
  }

  /// Those whose quotas count an upload.
  private func quota(of grant: Grant, _ details: UploadDetails) -> [String] {
    QuotaMeter.subjects(app: grant.app ?? services.access.app(named: details.app)?.key, caller: grant.id)
  }

  /// After how many bytes the disk is asked to begin with them.
  private static let writeBehind = 32 << 20

  /// The bytes to append, and the conditions that hold then.
  struct Append {
    var checksum: ExpectedChecksum?
    /// The checksum that comes behind the bytes; asked for when they are all there.
    var trailer: (() async throws -> ExpectedChecksum?)?
    /// Tells whether nothing comes after it.
    var completes: Bool?
    /// Told of how many bytes there are, from time to time.
    var progress: (@Sendable (Int64) -> Void)?
  }

  /// Appends a request's body to an upload, which its caller has claimed, and publishes it where it is whole then.
  ///
  /// - Throws: `Refusal`; the upload stands where it stood, or where the connection was cut.
  func append(
    _ request: Request, _ context: ServerContext, to record: UploadRecord, _ append: Append = Append()
  ) async throws -> UploadRecord {
    var record = record
    let left = (record.size ?? services.limits.upload) - record.offset
    var reader = try RequestBodyReader(request, context, limit: left, limits: services.limits)
    let isChecked = append.checksum != nil || append.trailer != nil
    if isChecked, !record.isUnverified {
      record.isUnverified = true
      record = try await save(record)
    }
    let (id, start, path) = (record.id, record.offset, path(of: record.id))
    let hashed = hashes.take(id)
    let file = try await services.disk { try UploadFile(path, offset: start, hashed: hashed) }
    defer { hashes.put(id, file.hashed) }
    file.checksum = append.checksum.flatMap { UploadChecksum($0.algorithm) }
    var cut: (any Error)?
    do {
      try await receive(&reader, into: file, append.progress)
    } catch let error as FileError {
      try await services.disk { try file.truncate(to: start) }
      throw error
    } catch {
      // Bytes that came before the connection ended are kept, but not where they were never compared to their checksum.
      cut = error
    }
    if cut == nil { cut = await mismatch(file, from: start, append) }
    if isChecked, let cut {
      try await services.disk { try file.truncate(to: start) }
      throw cut
    }
    if case .tooLarge? = (cut as? Refusal)?.error.code {
      try await services.disk { try file.truncate(to: start) }
      throw cut ?? Refusal(.tooLarge)
    }
    record.offset = file.offset
    if file.offset > start { try await services.disk { try file.settle() } }
    if cut == nil, append.completes ?? record.isFull {
      var full = record
      full.size = full.offset
      do {
        return try await publish(full, file)
      } catch let error as ServerError where error.code == .blobsAway {
        // All but the last byte stays, so that a client that goes on publishes by sending that.
        record.offset = max(file.offset - 1, 0)
        _ = try await save(record)
        throw error
      }
    }
    record = try await save(record)
    if let cut { throw cut }
    return record
  }

  /// The reason why the bytes behind `start` are not those of the checksum that came with them, before or behind; nil
  /// where they are.
  private func mismatch(_ file: UploadFile, from start: Int64, _ append: Append) async -> (any Error)? {
    do {
      if let checksum = append.checksum, file.checksum?.digest != checksum.digest { throw Refusal(.checksumMismatch) }
      guard let trailer = append.trailer else { return nil }
      guard let checksum = try await trailer() else {
        throw Refusal(.checksumAlgorithm, ["algorithm": "-"])
      }
      // The algorithm was not known before.
      let digest = try await services.disk { try file.checksum(checksum.algorithm, from: start) }
      return digest == checksum.digest ? nil : Refusal(.checksumMismatch)
    } catch {
      return error
    }
  }

  /// Bytes that an upload collects before it writes: all uploads together hold so much, whoever comes and goes.
  private var batch: Int { min(1 << 20, max(32 << 10, (16 << 20) / max(claims.count, 1))) }

  /// Writes pieces as they come, one batch while the next is received.
  func receive(
    _ reader: inout RequestBodyReader, into file: UploadFile, _ progress: (@Sendable (Int64) -> Void)?
  ) async throws {
    var pieces: [ByteBuffer] = []
    var size = 0
    var writing: Task<Void, any Error>?
    var settling: Task<Void, Never>?
    var written = 0
    defer { settling?.cancel() }
    func flush() async throws {
      try await writing?.value
      guard size > 0 else { return }
      let ready = pieces
      writing = Task { [services] in
        let offset = try await services.disk {
          try file.append(ready)
          return file.offset
        }
        progress?(offset)
      }
      written += size
      if written >= Self.writeBehind {
        // The disk begins early, so that little is left at the end; whether it could is seen there.
        settling = Task { [services, before = settling] in
          await before?.value
          try? await services.disk { try file.settle() }
        }
        written = 0
      }
      pieces = []
      size = 0
    }
    do {
      while let piece = try await reader.next() {
        pieces.append(piece)
        size += piece.readableBytes
        if size >= batch { try await flush() }
      }
    } catch {
      try await flush()
      try await writing?.value
      throw error
    }
    try await flush()
    try await writing?.value
  }

  func save(_ record: UploadRecord) async throws -> UploadRecord {
    var record = record
    record.updated = services.now()
    record.expires = expiry
    let saved = record
    try await services.store.write { try saved.save($0) }
    return saved
  }

  /// Verifies an upload whose bytes are on the disk, gives it its place, and tells the routes in the same transaction.
  ///
  /// - Throws: `server-digest-mismatch`: it is removed then, and never published.
  func publish(_ record: UploadRecord, _ file: UploadFile) async throws -> UploadRecord {
    var record = record
    record.updated = services.now()
    let digest = try await services.disk { try file.digest() }
    if let expected = record.details.sha256, expected != digest {
      record.state = .refused
      record.expires = expiry
      let refused = record
      try await services.store.write { try refused.save($0) }
      try await services.disk { try FileSystem.remove(file.path) }
      throw Refusal(.digestMismatch, ["expected": expected, "found": digest])
    }
    record.state = .whole
    if record.concatenation == .partial {
      let part = record
      try await services.store.write { try part.save($0) }
      return part
    }
    record.blob = digest
    record.details.sha256 = digest
    record.expires = nil
    let whole = record
    let upload = PublishedUpload(whole, digest, file: file.path)
    let entries = try await services.disk { [publications = services.publications] in
      try publications.compactMap { try $0(upload) }
    }
    let hold = try await services.hold(digest)
    do {
      try await services.blobs.store(file: file.path, as: digest, size: whole.offset)
      try await services.store.write { database in
        try whole.save(database)
        for entry in entries { try entry(database) }
      }
    } catch {
      await services.release([hold], isNamed: false)
      throw error
    }
    await services.release([hold], isNamed: true)
    hashes.remove(record.id)
    try? await services.disk { try FileSystem.remove(file.path) }
    services.counts.accepted("upload", bytes: whole.offset)
    return whole
  }

  /// Puts the parts of a final upload together and publishes it.
  func concatenate(_ record: UploadRecord, _ parts: [UploadRecord]) async throws -> UploadRecord {
    let path = path(of: record.id)
    let paths = parts.map { self.path(of: $0.id) }
    let file = try await services.disk {
      let file = try UploadFile(path, offset: 0, hashed: nil)
      do {
        for part in paths { try file.append(contentsOf: part) }
        try file.settle()
      } catch {
        try? FileSystem.remove(path)
        throw error
      }
      return file
    }
    var record = record
    record.offset = file.offset
    record.size = file.offset
    do {
      return try await publish(record, file)
    } catch {
      let failed = record
      try? await services.store.write { try failed.remove($0) }
      try? await services.disk { try FileSystem.remove(path) }
      throw error
    }
  }

  /// Removes an upload and what came of it; a whole one goes from the list, and its blob with it where no other upload
  /// has it.
  func remove(_ record: UploadRecord) async throws {
    try await services.store.write { database in
      try record.remove(database)
      if let blob = record.blob { try BlobRemovals.note([blob], in: database) }
    }
    hashes.remove(record.id)
    let path = path(of: record.id)
    try await services.disk { try FileSystem.remove(path) }
    if record.blob != nil { try await services.removals.run() }
  }
}

extension PublishedUpload {
  init(_ record: UploadRecord, _ sha256: String, file: String) {
    let details = record.details
    self.init(
      id: record.id, kind: details.kind, filename: details.filename, type: details.type, file: file, sha256: sha256,
      size: record.offset, batch: details.batch, user: details.user, device: details.device, app: details.app,
      task: details.task, time: record.updated)
  }
}

/// Digests of what has come so far, so that a whole file need not be read again at its end.
private final class UploadHashes: Sendable {
  private let known = Mutex<[String: RunningDigest]>([:])

  func take(_ id: String) -> RunningDigest? { known.withLock { $0.removeValue(forKey: id) } }

  func put(_ id: String, _ hashed: RunningDigest) {
    known.withLock { known in
      // An upload that is forgotten has its file read again.
      if known.count >= 4096 { known.removeAll() }
      known[id] = hashed
    }
  }

  func remove(_ id: String) { known.withLock { $0[id] = nil } }
}
