import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport

/// Takes reports in: reads, packs, stores, and answers when they are durable.
struct CrashIntake: Sendable {
  let services: ServerServices
  let reading: ReportReading
  private var packer: ReportPacker { services.packer }
  /// The packed size above which a report is a file of its own.
  private static let largestRow = 128 << 10
  private static let bases = 24
  /// The most crashes of one change, and so at most 8 MiB of rows.
  private static let most = 64
  private let queue: StoreQueue<IncomingCrash, [StoredCrash]>

  init(_ services: ServerServices) {
    self.services = services
    reading = ReportReading(services.rules)
    let memory = services.issues
    let packer = services.sharedPacker
    queue = StoreQueue(services.store, limit: services.limits.waiting, most: Self.most) { crashes, database in
      try CrashBatch.store(crashes, memory, packer: packer, in: database)
    }
  }

  /// Makes the newest bases ready, so that what comes first is small too.
  func begin() async throws {
    let packer = packer
    let (edition, bases) = try await services.store.read { database in
      (try packer.follow(in: database), try CrashStore.bases(Self.bases, in: database))
    }
    for base in bases {
      base.content.withUnsafeBytes { packer.publish(base.id, keys: base.keys, content: $0, edition: edition) }
    }
  }

  /// The report to store, and the content that may become a base.
  struct Prepared: Sendable {
    var crash: IncomingCrash
    /// The report itself, where it is to be a base or to stand in a file of its own.
    var content: [UInt8]?
  }

  /// Reads and packs a report, scrubbed by the rules of its app.
  ///
  /// - Parameters:
  ///   - event: The event's name by its envelope.
  ///   - other: The event that came beside a report, scrubbed already.
  func prepare(
    _ bytes: UnsafeRawBufferPointer, app: String, isEvent: Bool = false, event: String? = nil,
    beside other: UnsafeRawBufferPointer? = nil
  ) throws(ServerError) -> Prepared {
    guard let clean = services.scrubbing.scrubber(of: app).document(bytes) else {
      return try packed(bytes, app: app, isEvent: isEvent, event: event, beside: other)
    }
    return try clean.reading { clean throws(ServerError) in
      try packed(clean, app: app, isEvent: isEvent, event: event, beside: other)
    }
  }

  private func packed(
    _ bytes: UnsafeRawBufferPointer, app: String, isEvent: Bool, event: String?, beside other: UnsafeRawBufferPointer?
  ) throws(ServerError) -> Prepared {
    var summary = isEvent ? try reading.event(bytes, id: event) : try reading.summary(bytes, beside: other)
    if let event { summary.event = event }
    var crash = IncomingCrash(app: app, summary: summary, size: bytes.count, received: services.now())
    let keys = crash.keys
    crash.packed = packer.pack(bytes, keys: keys)
    if let packed = crash.packed, packed.bytes.count <= Self.largestRow {
      return Prepared(crash: crash, content: packed.isBase ? Array(bytes) : nil)
    }
    if crash.packed?.isBase == true { packer.withdraw(keys) }
    crash.packed = nil
    return Prepared(crash: crash, content: Array(bytes))
  }

  /// Stores what was prepared; returns when it is on the disk.
  func store(_ prepared: Prepared) async throws -> StoredCrash {
    guard prepared.crash.packed == nil, let content = prepared.content else {
      return try await insert(prepared, prepared.crash)
    }
    let hold = try await services.keep(content)
    var crash = prepared.crash
    crash.blob = hold.name
    do {
      let stored = try await insert(prepared, crash)
      await services.release([hold], isNamed: !stored.isDuplicate)
      return stored
    } catch {
      await services.release([hold], isNamed: false)
      throw error
    }
  }

  private func insert(_ prepared: Prepared, _ crash: IncomingCrash) async throws -> StoredCrash {
    var crash = crash
    let isBase = crash.packed?.isBase == true
    do {
      let missing = missing(of: crash)
      crash.missing = missing.images
      let change = try await queue.store(crash)
      let stored = change.outcome[change.place]
      if let fresh = stored.fresh { services.issues.learn(fresh) }
      if !stored.isDuplicate { services.missing.learn(missing.digests) }
      if isBase {
        if stored.isDuplicate {
          packer.withdraw(crash.keys)
        } else {
          prepared.content?.withUnsafeBytes {
            packer.publish(stored.id, keys: crash.keys, content: $0, edition: stored.bases)
          }
        }
      }
      if stored.isDuplicate {
        services.counts.duplicate("crash")
      } else {
        count(Int64(crash.size))
      }
      note(stored, crash.summary)
      return stored
    } catch {
      if isBase { packer.withdraw(crash.keys) }
      throw error
    }
  }

  /// Counts a crash that is in the database; where there are several servers, it is counted there too.
  private func count(_ size: Int64) {
    guard services.session != nil else { return services.counts.accepted("crash", bytes: size) }
    services.counts.addStored(["accepted.crash": 1, "bytes.crash": size])
  }

  /// The images that a crash lacks names of, and its group is not known to lack.
  private func missing(of crash: IncomingCrash) -> (images: [MissingImage], digests: [Int]) {
    let all = crash.summary.missing.map { image in
      (image: image, digest: MissingImageMemory.digest(crash.app, crash.summary.group, image.build))
    }
    let unknown = all.filter { !services.missing.isKnown($0.digest) }
    return (unknown.map(\.image), unknown.map(\.digest))
  }

  private func note(_ stored: StoredCrash, _ summary: CrashSummary) {
    if let group = stored.newGroup, summary.function.isEmpty { services.unnamed.add(group, crash: stored.id) }
  }

  /// Reads the crash that an upload is, and gives what stores it.
  func publication(_ upload: PublishedUpload) throws -> @Sendable (any SQLDatabase) throws -> Void {
    guard upload.size <= services.limits.decompressed else {
      throw ServerError(.tooLarge, ["limit": String(services.limits.decompressed)])
    }
    let bytes = try Bytes.reading(upload.file)
    let summary = try reading.summary(bytes.buffer)
    return { [count = bytes.count] database in
      let first = try database.row("SELECT key FROM apps ORDER BY created, key LIMIT 1") { $0.text(0) }
      let app = try TaskStore.app(upload.app, in: database) ?? first ?? ""
      var crash = IncomingCrash(app: app, summary: summary, size: count, received: upload.time)
      crash.blob = upload.sha256
      crash.missing = summary.missing
      if crash.summary.user.isEmpty, let user = upload.user { crash.summary.user = user }
      let stored = try CrashBatch.store([crash], services.issues, packer: services.sharedPacker, in: database).first
      guard let stored else { return }
      if stored.isDuplicate {
        services.counts.duplicate("crash")
      } else {
        self.count(upload.size)
      }
      note(stored, crash.summary)
    }
  }
}

extension ServerServices {
  /// The packer, where other servers may take bases away.
  fileprivate var sharedPacker: ReportPacker? { session == nil ? nil : packer }
}

extension [UInt8] {
  /// Hands the bytes to `body`, whose errors keep their type.
  func reading<Value>(
    _ body: (UnsafeRawBufferPointer) throws(ServerError) -> Value
  ) throws(ServerError) -> Value {
    try withUnsafeBytes { bytes -> Result<Value, ServerError> in
      do throws(ServerError) { return .success(try body(bytes)) } catch { return .failure(error) }
    }.get()
  }
}
