import MPaaSSupport

extension TransferErrand {
  /// The file's type: what its metadata says.
  var contentType: String { transfer.metadata["filetype"] ?? "application/octet-stream" }
  var fileName: String { transfer.metadata["filename"] ?? FileSystem.name(of: transfer.file) }

  /// `Repr-Digest` of a digest in hexadecimal (RFC 9530, 3).
  static func digestHeader(_ hexadecimal: String) -> [(name: String, value: String)] {
    guard let bytes = [UInt8](hexadecimal: hexadecimal) else { return [] }
    return [("Repr-Digest", "sha-256=:\(Base64.encode(bytes)):")]
  }

  /// One PUT or POST of the whole file.
  func sendFile(_ method: String) throws(TransferFault) {
    let headers = [("Content-Type", contentType)] + Self.digestHeader(transfer.sha256 ?? "")
    let file = HTTPCall.Piece.file(path: transfer.file, offset: 0, size: size)
    try sendOnce(call(method, transfer.url, headers, body: [file]), before: 0)
  }

  /// One POST of a form: the metadata as fields, then the file (RFC 7578).
  func postForm() throws(TransferFault) {
    // Nothing of the file can end a part: it is as long as it is random.
    let boundary = "mpaas-" + (0..<12).map { _ in UInt8.random(in: 0...255) }.hexadecimal
    var head = ""
    for (name, value) in transfer.metadata.sorted(by: { $0.key < $1.key })
    where !["filename", "filetype", "field"].contains(name) {
      head += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.quoted(name))\"\r\n\r\n\(value)\r\n"
    }
    let field = Self.quoted(transfer.metadata["field"] ?? "file")
    head +=
      "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(field)\"; filename=\"\(Self.quoted(fileName))\"\r\n"
    head += "Content-Type: \(contentType)\r\n\r\n"
    let body: [HTTPCall.Piece] = [
      .bytes(Bytes(head.utf8)), .file(path: transfer.file, offset: 0, size: size),
      .bytes(Bytes("\r\n--\(boundary)--\r\n".utf8)),
    ]
    let type = ("Content-Type", "multipart/form-data; boundary=\(boundary)")
    try sendOnce(call("POST", transfer.url, [type], body: body), before: UInt64(head.utf8.count))
  }

  /// Text between quotation marks of a form, as browsers write it.
  static func quoted(_ text: String) -> String {
    // By scalars: CR LF is one character.
    text.unicodeScalars.reduce(into: "") { quoted, scalar in
      switch scalar {
      case "\"": quoted += "%22"
      case "\r": quoted += "%0D"
      case "\n": quoted += "%0A"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
  }

  /// Does a call that sends the whole file; nothing of it counts before the answer.
  private func sendOnce(_ call: HTTPCall, before: UInt64) throws(TransferFault) {
    // A file that arrived otherwise than it was sent, as the server says, goes again; not for ever.
    for _ in 0..<3 {
      let (reply, digest) = try send(call, before: before)
      try keep(reply)
      if reply.status == Self.mismatch { continue }
      guard reply.isSuccess else { throw refusal(reply) }
      try confirm(reply, digest)
      return try finish(digest)
    }
    throw .lasting(TransferError(.mismatch, ["url": transfer.url, "path": transfer.file, "reason": "460"]))
  }

  /// The status by which servers say that what arrived is not what was announced (tus has it too).
  private static var mismatch: Int { 460 }

  private func send(_ call: HTTPCall, before: UInt64) throws(TransferFault) -> (HTTPReply, FileDigest) {
    var call = call
    let (digest, size, limiter) = (FileDigest(), size, queue.limiter)
    call.passing = { bytes in
      limiter.wait(for: bytes.count)
      digest.take(bytes, at: digest.position)
    }
    call.sent = { [self] sent in moved(Int64(clamping: min(sent > before ? sent - before : 0, size))) }
    return (try exchange(call), digest)
  }

  /// A success says what was stored, where that was asked for.
  private func confirm(_ reply: HTTPReply, _ digest: FileDigest) throws(TransferFault) {
    guard transfer.confirmation == .digest else { return }
    do throws(FileError) {
      try digest.advance(transfer.file, to: size)
    } catch {
      throw TransferFault(error)
    }
    guard !reply.text.has(digest.hexadecimal) else { return }
    throw .passing(word: TransferError.Code.unconfirmed.word, reason: reply.reason, retryAfter: reply.retryAfter)
  }

  /// The fault that follows from an answer that is no success to an upload.
  func refusal(_ reply: HTTPReply) -> TransferFault {
    guard reply.status == 413 else { return TransferFault(reply, transfer.url) }
    let limit = reply.headers["tus-max-size"] ?? reply.headers["upload-limit"] ?? "?"
    return .lasting(
      TransferError(.oversize, ["url": transfer.url, "limit": limit, "reason": reply.reason, "path": transfer.file]))
  }

  /// All has been sent: what was sent is the file that was meant.
  func finish(_ digest: FileDigest) throws(TransferFault) {
    do throws(FileError) {
      try digest.advance(transfer.file, to: size)
    } catch {
      throw TransferFault(error)
    }
    let text = digest.hexadecimal
    try acknowledge(Int64(size))
    try note { $0.sha256 = text }
    try checkFile()
    if let wanted = transfer.sha256?.lowercased(), wanted != text {
      throw .lasting(TransferError(.mismatch, ["url": transfer.url, "path": transfer.file, "reason": text]))
    }
  }
}
