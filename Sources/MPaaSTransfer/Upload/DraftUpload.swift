import MPaaSSupport

/// An upload by the IETF's draft (draft-ietf-httpbis-resumable-upload), interop versions 6 and 8.
///
/// A server that says nothing of resumption in its answer to OPTIONS gets the file in one POST.
struct DraftUpload {
  let errand: TransferErrand
  private static let supported = "resumable"

  init(_ errand: TransferErrand) { self.errand = errand }

  private var transfer: Transfer { errand.transfer }
  private var size: UInt64 { errand.size }

  static func version(_ number: Int) -> [(name: String, value: String)] {
    [("Upload-Draft-Interop-Version", String(number))]
  }

  func run() throws(TransferFault) {
    let abilities = try capabilities()
    let digest = FileDigest()
    let tus = TusUpload(errand)
    var known = transfer.sha256?.lowercased()
    let splits = abilities.contains(Self.supported)
    if known == nil, size <= TusUpload.smallFile || !splits {
      try tus.advance(digest, to: size)
      known = digest.hexadecimal
    }
    let number = abilities.contains("6") && !abilities.contains("8") ? 6 : 8
    for _ in 0..<3 {
      if try attempt(digest, known, number, splits) { return try errand.finish(digest) }
      try errand.note { record in
        record.location = nil
        record.moved = 0
      }
      try errand.acknowledge(0)
    }
    throw .protocolFault(transfer.url, "the upload was lost")
  }

  private func capabilities() throws(TransferFault) -> Set<String> {
    if let known = errand.queue.capabilities(transfer.url) { return known }
    let reply = try errand.exchange(errand.call("OPTIONS", transfer.url, Self.version(8)))
    if [408, 425, 429, 502, 503, 504].contains(reply.status) { throw TransferFault(reply, transfer.url) }
    var words = Set(
      (reply.headers["upload-draft-interop-version"] ?? "").split { $0 == "," || $0 == " " }.map(String.init))
    if let limits = reply.headers["upload-limit"] {
      words.insert(Self.supported)
      if let most = Self.parameter("max-size", limits), size > most {
        let values = [
          "url": transfer.url, "limit": ByteCount(most).description, "path": transfer.file, "reason": "Upload-Limit",
        ]
        throw .lasting(TransferError(.oversize, values))
      }
      if let most = Self.parameter("max-append-size", limits) { words.insert("append:\(most)") }
    } else if !words.isEmpty {
      words.insert(Self.supported)
    }
    errand.queue.setCapabilities(words, transfer.url)
    return words
  }

  /// A number of a structured dictionary (RFC 9651, 3.2).
  static func parameter(_ name: String, _ text: String) -> UInt64? {
    for part in text.split(separator: ",") {
      let sides = part.split(separator: "=").map(\.trimmed)
      if sides.count == 2, sides[0] == name { return UInt64(sides[1]) }
    }
    return nil
  }

  /// Brings the upload to its end; false where the server knows it no more.
  private func attempt(
    _ digest: FileDigest, _ known: String?, _ number: Int, _ splits: Bool
  ) throws(TransferFault) -> Bool {
    var offset: UInt64 = 0
    if let location = errand.record.location {
      switch try look(location, number) {
      case .lost: return false
      case .complete: return true
      case .offset(let now): offset = now
      }
      try errand.acknowledge(Int64(clamping: offset))
      try TusUpload(errand).advance(digest, to: offset)
    } else {
      switch try create(digest, known, number, splits) {
      case .complete: return true
      case .lost: return false
      case .offset(let now): offset = now
      }
    }
    while true {
      guard let location = errand.record.location else { return false }
      switch try append(location, offset, digest, known, number) {
      case .complete: return true
      case .lost: return false
      case .offset(let now): offset = now
      }
    }
  }

  private enum Standing {
    case offset(UInt64)
    case complete
    case lost
  }

  /// The end of a request that begins at `offset`: the last bytes go on their own where the digest is not known yet.
  private func end(_ offset: UInt64, _ known: String?) -> (end: UInt64, isLast: Bool) {
    let words = errand.queue.capabilities(transfer.url) ?? []
    let largest = words.first { $0.hasPrefix("append:") }.flatMap { UInt64($0.dropFirst(7)) } ?? .max
    let step = min(transfer.chunk.map { UInt64(clamping: $0) } ?? .max, largest)
    var end = size - offset <= step ? size : offset + step
    let tailStart = size > TusUpload.tail ? size - TusUpload.tail : 0
    if known == nil, offset < tailStart { end = min(end, tailStart) }
    return (end, end == size)
  }

  private func body(_ range: Range<UInt64>) -> [HTTPCall.Piece] {
    [.file(path: transfer.file, offset: range.lowerBound, size: range.upperBound - range.lowerBound)]
  }

  private func prepared(_ call: HTTPCall, from start: UInt64, _ digest: FileDigest) -> HTTPCall {
    var call = call
    let (errand, read) = (errand, ReadMark(start))
    call.passing = { bytes in
      errand.queue.limiter.wait(for: bytes.count)
      digest.take(bytes, at: read.advance(bytes.count))
    }
    call.sent = { sent in errand.moved(Int64(clamping: start + sent)) }
    return call
  }

  private func create(
    _ digest: FileDigest, _ known: String?, _ number: Int, _ splits: Bool
  ) throws(TransferFault) -> Standing {
    let (end, isLast) = splits ? end(0, known) : (size, true)
    var headers =
      Self.version(number) + [
        ("Upload-Complete", isLast ? "?1" : "?0"), ("Upload-Length", String(size)),
        ("Content-Type", errand.contentType),
        ("Content-Disposition", "attachment; filename=\"\(TransferErrand.quoted(errand.fileName))\""),
      ]
    // The draft has no metadata; servers that speak tus too know these.
    let metadata = TusUpload(errand).metadata(sha256: known)
    if !metadata.isEmpty { headers.append(("Upload-Metadata", metadata)) }
    if let known { headers += TransferErrand.digestHeader(known) }
    var call = prepared(errand.call("POST", transfer.url, headers, body: body(0..<end)), from: 0, digest)
    let (errand, url) = (errand, transfer.url)
    call.interim = { status, fields in
      // Before all else: with the address the upload goes on after a cut.
      guard status == 104, let location = fields["location"] else { return }
      try? errand.note { $0.location = WebAddress.resolve(location, on: url) }
    }
    let reply = try errand.exchange(call)
    try errand.keep(reply)
    guard reply.isSuccess else { throw errand.refusal(reply) }
    if let location = reply.headers["location"] {
      try errand.note { $0.location = WebAddress.resolve(location, on: url) }
    }
    if isLast, reply.headers["upload-complete"] != "?0" { return .complete }
    let offset = reply.headers["upload-offset"].flatMap { UInt64($0) } ?? end
    guard offset <= end, errand.record.location != nil else { throw .protocolFault(url, "no Location") }
    try errand.acknowledge(Int64(clamping: offset))
    return .offset(offset)
  }

  private func append(
    _ location: String, _ offset: UInt64, _ digest: FileDigest, _ known: String?, _ number: Int
  ) throws(TransferFault) -> Standing {
    let (end, isLast) = end(offset, known)
    var headers =
      Self.version(number) + [
        ("Upload-Offset", String(offset)), ("Upload-Complete", isLast ? "?1" : "?0"),
        ("Content-Type", "application/partial-upload"),
      ]
    if isLast {
      var text = known
      if text == nil {
        try TusUpload(errand).advance(digest, to: size)
        text = digest.hexadecimal
      }
      if let text { headers += TransferErrand.digestHeader(text) }
    }
    let call = prepared(errand.call("PATCH", location, headers, body: body(offset..<end)), from: offset, digest)
    let reply = try errand.exchange(call)
    switch reply.status {
    case 200...299:
      let now = reply.headers["upload-offset"].flatMap { UInt64($0) } ?? end
      guard now <= end, now > offset || end == offset else { throw .protocolFault(location, "Upload-Offset: \(now)") }
      try errand.acknowledge(Int64(clamping: now))
      guard now == size, isLast else { return .offset(now) }
      try errand.keep(reply)
      return .complete
    case 400 where reply.text.has("completed-upload"): return .complete
    case 409: return try look(location, number)
    case 404, 410, 460: return .lost
    default:
      try errand.keep(reply)
      throw errand.refusal(reply)
    }
  }

  private func look(_ location: String, _ number: Int) throws(TransferFault) -> Standing {
    let reply = try errand.exchange(errand.call("HEAD", location, Self.version(number)))
    switch reply.status {
    case 200...299:
      guard let offset = reply.headers["upload-offset"].flatMap({ UInt64($0) }), offset <= size else {
        throw .protocolFault(location, "Upload-Offset: \(reply.headers["upload-offset"] ?? "")")
      }
      if reply.headers["upload-complete"] == "?1" { return offset == size ? .complete : .lost }
      return .offset(offset)
    case 403, 404, 410: return .lost
    default: throw TransferFault(reply, location)
    }
  }
}
