import MPaaSSupport

/// An upload by tus 1.0 (https://tus.io/protocols/resumable-upload).
struct TusUpload {
  let errand: TransferErrand
  /// Files up to this size have their digest in the metadata; of larger ones it is computed while they are sent, and
  /// goes with the last bytes.
  static let smallFile: UInt64 = 8 << 20
  /// Bytes that go with the digest.
  static let tail: UInt64 = 1 << 16

  init(_ errand: TransferErrand) { self.errand = errand }

  private var transfer: Transfer { errand.transfer }
  private var size: UInt64 { errand.size }

  func run() throws(TransferFault) {
    let digest = FileDigest()
    var known = transfer.sha256?.lowercased()
    if known == nil, size <= Self.smallFile {
      try advance(digest, to: size)
      known = digest.hexadecimal
    }
    if transfer.parts > 1, size >= UInt64(transfer.parts), try capabilities().contains("concatenation") {
      return try TusConcatenation(self, digest).run()
    }
    // An upload that the server lost, or holds in a state that cannot be mended, is begun again; not for ever.
    for round in 0..<3 {
      do throws(TusLoss) {
        return try attempt(digest, known)
      } catch {
        if case .fault(let fault) = error { throw fault }
        if round < 2 { try forget() }
      }
    }
    throw .lasting(TransferError(.mismatch, ["url": transfer.url, "path": transfer.file, "reason": "460"]))
  }

  func terminate(_ location: String) throws(TransferFault) {
    for url in try [location] + errand.parts().compactMap(\.location) {
      let reply = try errand.exchange(errand.call("DELETE", url, Self.headers()))
      guard reply.isSuccess || [400, 403, 404, 405, 410, 501].contains(reply.status) else {
        throw TransferFault(reply, url)
      }
    }
  }

  static func headers(_ more: [(name: String, value: String)] = []) -> [(name: String, value: String)] {
    [("Tus-Resumable", "1.0.0")] + more
  }

  // MARK: One upload

  private func attempt(_ digest: FileDigest, _ known: String?) throws(TusLoss) {
    var (url, offset) = try position(digest, known)
    if offset > 0 { try mapped { () throws(TransferFault) in try advance(digest, to: offset) } }
    // A digest that is not known yet goes with the last bytes.
    let goesWithTail = known == nil && size > Self.tail
    var mismatches = 0
    while offset < size {
      let isTail = goesWithTail && offset >= size - Self.tail
      var end = min(offset + chunk, size)
      if goesWithTail, !isTail { end = min(end, size - Self.tail) }
      if isTail { try mapped { () throws(TransferFault) in try advance(digest, to: size) } }
      switch try patch(url, offset..<end, digest, isLast: isTail ? digest.hexadecimal : nil) {
      case .moved(let now): offset = now
      case .elsewhere:
        (url, offset) = try position(digest, known)
      case .mismatch:
        mismatches += 1
        guard mismatches < 3 else { throw .lost }
        (url, offset) = try position(digest, known)
      }
    }
    try mapped { () throws(TransferFault) in try errand.finish(digest) }
  }

  private var chunk: UInt64 {
    let usual: UInt64 = transfer.checksum == nil ? .max >> 1 : 8 << 20
    return max(transfer.chunk.map { UInt64(clamping: $0) } ?? usual, 1)
  }

  /// The address of the upload, and the number of bytes that the server has of it; it is made where there is none.
  private func position(_ digest: FileDigest, _ known: String?) throws(TusLoss) -> (url: String, offset: UInt64) {
    if let url = errand.record.location {
      let (offset, isThere) = try mapped { () throws(TransferFault) in
        try head(url, size)
      }
      if isThere {
        try mapped { () throws(TransferFault) in try errand.acknowledge(Int64(clamping: offset)) }
        return (url, offset)
      }
      throw .lost
    }
    return try mapped { () throws(TransferFault) in
      let metadata = metadata(sha256: known)
      let first = size <= 1 << 20 && size > 0 ? try capabilities().contains("creation-with-upload") : false
      let made = try create(size, metadata, withBody: first)
      try errand.note { record in
        record.location = made.url
        record.expires = made.expires
      }
      try errand.acknowledge(Int64(clamping: made.offset))
      return (made.url, made.offset)
    }
  }

  private func forget() throws(TransferFault) {
    try errand.note { record in
      record.location = nil
      record.expires = nil
      record.moved = 0
    }
    try errand.acknowledge(0)
  }

  // MARK: Requests

  /// The abilities that a server tells.
  func capabilities() throws(TransferFault) -> Set<String> {
    let endpoint = transfer.url
    if let known = errand.queue.capabilities(endpoint) { return known }
    let reply = try errand.exchange(errand.call("OPTIONS", endpoint))
    if TransferFault.isPassing(reply.status), reply.status != 500 { throw TransferFault(reply, endpoint) }
    let words = (reply.headers["tus-extension"] ?? "").split(separator: ",").map { String($0.trimmed) }
    let sums = (reply.headers["tus-checksum-algorithm"] ?? "").split(separator: ",").map { "checksum:" + $0.trimmed }
    if let limit = reply.headers["tus-max-size"].flatMap({ UInt64($0) }), limit > 0, size > limit {
      throw .lasting(
        TransferError(
          .oversize, ["url": endpoint, "limit": ByteCount(limit).description, "path": transfer.file, "reason": "413"]))
    }
    let all = Set(words + sums)
    errand.queue.setCapabilities(all, endpoint)
    return all
  }

  func metadata(sha256: String?) -> String {
    var all = transfer.metadata
    all["filename"] = errand.fileName
    if let sha256 { all["sha256"] = sha256 }
    if let batch = transfer.batch, all["batch"] == nil { all["batch"] = batch }
    return all.sorted { $0.key < $1.key }
      .filter { !$0.key.isEmpty && !$0.key.utf8.contains { $0 <= 0x20 || $0 == 0x2c || $0 >= 0x7f } }
      .map { $0.value.isEmpty ? $0.key : "\($0.key) \(Base64.encode($0.value.utf8))" }.joined(separator: ",")
  }

  /// Makes an upload (creation).
  func create(
    _ length: UInt64, _ metadata: String, concat: String? = nil, withBody: Bool = false
  ) throws(TransferFault) -> (url: String, offset: UInt64, expires: Double?) {
    var headers = Self.headers()
    if concat?.hasPrefix("final") != true { headers.append(("Upload-Length", String(length))) }
    if !metadata.isEmpty { headers.append(("Upload-Metadata", metadata)) }
    if let concat { headers.append(("Upload-Concat", concat)) }
    var body: [HTTPCall.Piece] = []
    if withBody {
      headers.append(("Content-Type", "application/offset+octet-stream"))
      body = [.file(path: transfer.file, offset: 0, size: length)]
    }
    let reply = try errand.exchange(errand.call("POST", transfer.url, headers, body: body))
    guard reply.isSuccess else {
      try errand.keep(reply)
      throw errand.refusal(reply)
    }
    guard let location = reply.headers["location"] else {
      throw .protocolFault(transfer.url, "201 without Location")
    }
    if length == 0 || concat?.hasPrefix("final") == true { try errand.keep(reply) }
    let offset = reply.headers["upload-offset"].flatMap { UInt64($0) } ?? 0
    if offset == length { try errand.keep(reply) }
    return (
      WebAddress.resolve(location, on: transfer.url), min(offset, length),
      reply.headers["upload-expires"].flatMap(HTTPDate.seconds)
    )
  }

  /// The number of bytes that the server has; `isThere` is false where it knows the upload no more.
  func head(_ url: String, _ length: UInt64) throws(TransferFault) -> (offset: UInt64, isThere: Bool) {
    let reply = try errand.exchange(errand.call("HEAD", url, Self.headers()))
    switch reply.status {
    case 200...299:
      guard let offset = reply.headers["upload-offset"].flatMap({ UInt64($0) }), offset <= length else {
        throw .protocolFault(url, "Upload-Offset: \(reply.headers["upload-offset"] ?? "")")
      }
      let known = reply.headers["upload-length"].flatMap { UInt64($0) }
      return (offset, known == nil || known == length)
    case 403, 404, 410: return (0, false)
    default: throw TransferFault(reply, url)
    }
  }

  enum Patched {
    case moved(UInt64)
    /// The server is at another offset.
    case elsewhere
    /// The bytes that arrived are not what was sent.
    case mismatch
  }

  /// Sends a part of the file; `isLast` is the digest of all of it, where that goes with these bytes.
  func patch(
    _ url: String, _ range: Range<UInt64>, _ digest: FileDigest?, isLast: String?, base: UInt64 = 0,
    told: (@Sendable (UInt64) -> Void)? = nil
  ) throws(TusLoss) -> Patched {
    var headers = Self.headers([
      ("Content-Type", "application/offset+octet-stream"), ("Upload-Offset", String(range.lowerBound - base)),
    ])
    if let isLast { headers += TransferErrand.digestHeader(isLast) }
    if let sum = try checksum(range) { headers.append(("Upload-Checksum", sum)) }
    let piece = HTTPCall.Piece.file(
      path: transfer.file, offset: range.lowerBound, size: range.upperBound - range.lowerBound)
    var call = errand.call("PATCH", url, headers, body: [piece])
    let (start, errand) = (range.lowerBound, errand)
    let read = ReadMark(start)
    call.passing = { bytes in
      errand.queue.limiter.wait(for: bytes.count)
      digest?.take(bytes, at: read.advance(bytes.count))
    }
    call.sent = told ?? { sent in errand.moved(Int64(clamping: start + sent)) }
    let plan = call
    let reply = try mapped { () throws(TransferFault) in try errand.exchange(plan) }
    switch reply.status {
    case 200...299:
      guard let offset = reply.headers["upload-offset"].flatMap({ UInt64($0) }), offset + base > start || range.isEmpty,
        offset + base <= range.upperBound
      else { throw .fault(.protocolFault(url, "Upload-Offset: \(reply.headers["upload-offset"] ?? "")")) }
      if told == nil {
        try mapped { () throws(TransferFault) in
          try errand.acknowledge(Int64(clamping: offset))
          if offset == errand.size { try errand.keep(reply) }
        }
      }
      return .moved(offset + base)
    case 409: return .elsewhere
    case 460: return .mismatch
    case 403 where errand.record.location == url, 404, 410: throw .lost
    default:
      try mapped { () throws(TransferFault) in try errand.keep(reply) }
      throw .fault(errand.refusal(reply))
    }
  }

  private func checksum(_ range: Range<UInt64>) throws(TusLoss) -> String? {
    guard let sum = transfer.checksum.flatMap(ChunkChecksum.init) else { return nil }
    do throws(FileError) {
      return try sum.header(transfer.file, range)
    } catch {
      throw .fault(TransferFault(error))
    }
  }

  func advance(_ digest: FileDigest, to end: UInt64) throws(TransferFault) {
    do throws(FileError) {
      try digest.advance(transfer.file, to: end, isCancelled: { errand.isEnded })
    } catch {
      throw TransferFault(error)
    }
    if errand.isEnded { throw .ended }
  }

  func mapped<Value>(_ body: () throws(TransferFault) -> Value) throws(TusLoss) -> Value {
    do throws(TransferFault) {
      return try body()
    } catch {
      throw .fault(error)
    }
  }
}

/// The reason why an upload did not go on.
enum TusLoss: Error {
  /// The server no longer has it, or not in a state to go on from: it is begun again.
  case lost
  case fault(TransferFault)
}
