import MPaaSDigests
import MPaaSLock
import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An object of a store that speaks S3: one PUT, or a multipart upload of which each part that arrived stays.
struct S3Upload {
  let errand: TransferErrand
  /// Objects of more than this go in parts.
  private static let single: UInt64 = 16 << 20
  /// The store takes no smaller parts than this, but for the last one, and at most 10,000.
  private static let leastPart: UInt64 = 5 << 20
  private static let mostParts: UInt64 = 10_000

  init(_ errand: TransferErrand) { self.errand = errand }

  private var transfer: Transfer { errand.transfer }
  private var size: UInt64 { errand.size }

  func run() throws(TransferFault) {
    let target = try S3Target(transfer, errand.queue.options)
    if size <= Self.single, transfer.parts <= 1 || size <= Self.leastPart { return try putWhole(target) }
    for _ in 0..<3 where try putParts(target) { return }
    throw .protocolFault(transfer.url, "NoSuchUpload")
  }

  /// Has the store forget the parts of an upload that will not be finished.
  func abort() throws(TransferFault) {
    guard let upload = errand.record.location else { return }
    let target = try S3Target(transfer, errand.queue.options)
    let url = "\(target.url)?uploadId=\(WebAddress.escaped(upload))"
    let reply = try errand.exchange(call(target, "DELETE", url, S3Target.digestOfNothing))
    guard reply.isSuccess || reply.status == 404 else { throw TransferFault(reply, url) }
  }

  private func call(
    _ target: S3Target, _ method: String, _ url: String, _ sha256: String,
    _ headers: [(name: String, value: String)] = [], body: [HTTPCall.Piece]? = nil
  ) -> HTTPCall {
    var all = headers + [("x-amz-content-sha256", sha256)]
    if let token = target.token { all.append(("x-amz-security-token", token)) }
    var call = errand.call(method, url, all, body: body)
    call.signer = target.signer
    return call
  }

  private var objectHeaders: [(name: String, value: String)] {
    [("Content-Type", errand.contentType)]
      + transfer.metadata.sorted { $0.key < $1.key }.filter { !["filename", "filetype"].contains($0.key) }
      .map { ("x-amz-meta-\($0.key.lowercased())", $0.value) }
  }

  private func putWhole(_ target: S3Target) throws(TransferFault) {
    let digest = FileDigest()
    try TusUpload(errand).advance(digest, to: size)
    let text = digest.hexadecimal
    let body: [HTTPCall.Piece] = [.file(path: transfer.file, offset: 0, size: size)]
    let headers = objectHeaders + [("x-amz-meta-sha256", text)]
    var call = call(target, "PUT", target.url, text, headers, body: body)
    let errand = errand
    call.sent = { errand.moved(Int64(clamping: $0)) }
    let reply = try errand.exchange(call)
    try errand.keep(reply)
    guard reply.isSuccess else { throw errand.refusal(reply) }
    try errand.finish(digest)
  }

  /// Bytes of each part but the last.
  private var partSize: UInt64 {
    let wanted = transfer.chunk.map { UInt64(clamping: $0) } ?? (8 << 20)
    return max(wanted, Self.leastPart, (size + Self.mostParts - 1) / Self.mostParts)
  }

  /// Brings all parts that are not there; false where the store knows the upload no more.
  private func putParts(_ target: S3Target) throws(TransferFault) -> Bool {
    let upload = try begin(target)
    let (digest, step) = (FileDigest(), partSize)
    let known = Dictionary(try errand.parts().map { ($0.number, $0) }) { $1 }
    let count = Int((size + step - 1) / step)
    let missing = (0..<count).filter { known[$0]?.tag == nil }
    let moved = Lock<[Int: Int64]>(known.filter { $0.value.tag != nil }.mapValues(\.size))
    let next = Lock(missing[...])
    let isLost = CancellationFlag()
    try errand.acknowledge(moved.withLock { $0.values.reduce(0, +) })
    // As many threads as parts may go at once; one more reads the file for its digest.
    let workers = min(max(transfer.parts, 1), max(missing.count, 1))
    try Concurrent.run(workers + 1) { worker throws(TransferFault) in
      if worker == workers { return try TusUpload(errand).advance(digest, to: size) }
      while !isLost.isSet, !errand.isEnded, let number = next.withLock({ $0.popFirst() }) {
        let start = UInt64(number) * step
        let range = start..<min(start + step, size)
        let tag = try put(target, upload, number, range) { bytes in
          let sum = moved.withLock { moved in
            moved[number] = bytes
            return moved.values.reduce(0, +)
          }
          errand.moved(sum)
        }
        guard let tag else { return isLost.set() }
        try errand.put(
          TransferStore.Part(
            number: number, start: Int64(start), size: Int64(range.count), moved: Int64(range.count), tag: tag))
      }
    }
    if errand.isEnded { throw .ended }
    if !isLost.isSet, try complete(target, upload) {
      try errand.finish(digest)
      try errand.removeParts()
      return true
    }
    try errand.removeParts()
    try errand.note { $0.location = nil }
    return false
  }

  private func begin(_ target: S3Target) throws(TransferFault) -> String {
    if let upload = errand.record.location { return upload }
    try errand.removeParts()
    let url = target.url + "?uploads="
    let reply = try errand.exchange(call(target, "POST", url, S3Target.digestOfNothing, objectHeaders, body: []))
    guard reply.isSuccess else { throw errand.refusal(reply) }
    guard let upload = reply.element("UploadId") else { throw .protocolFault(url, "no UploadId") }
    try errand.note { $0.location = upload }
    return upload
  }

  /// Puts a part and gives its entity tag; nil where the store knows the upload no more.
  private func put(
    _ target: S3Target, _ upload: String, _ number: Int, _ range: Range<UInt64>,
    _ told: @escaping @Sendable (Int64) -> Void
  ) throws(TransferFault) -> String? {
    let sum: String
    do throws(FileError) {
      sum = try DigestAlgorithm.sha256.digest(ofFile: transfer.file, range).hexadecimal
    } catch {
      throw TransferFault(error)
    }
    let url = "\(target.url)?partNumber=\(number + 1)&uploadId=\(WebAddress.escaped(upload))"
    let piece = HTTPCall.Piece.file(path: transfer.file, offset: range.lowerBound, size: UInt64(range.count))
    var call = call(target, "PUT", url, sum, body: [piece])
    call.sent = { told(Int64(clamping: $0)) }
    let reply = try errand.exchange(call)
    if reply.status == 404 { return nil }
    guard reply.isSuccess else { throw errand.refusal(reply) }
    guard let tag = reply.headers["etag"] else { throw .protocolFault(url, "no ETag") }
    return tag
  }

  private func complete(_ target: S3Target, _ upload: String) throws(TransferFault) -> Bool {
    var text = "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
    for part in try errand.parts() {
      let tag = (part.tag ?? "").escapedMarkup(.content)
      text += "<Part><PartNumber>\(part.number + 1)</PartNumber><ETag>\(tag)</ETag></Part>"
    }
    text += "</CompleteMultipartUpload>"
    let url = "\(target.url)?uploadId=\(WebAddress.escaped(upload))"
    let body = Bytes(text.utf8)
    let call = call(
      target, "POST", url, body.sha256.hexadecimal, [("Content-Type", "application/xml")], body: [.bytes(body)])
    let reply = try errand.exchange(call)
    try errand.keep(reply)
    if reply.status == 404 { return false }
    guard reply.isSuccess else { throw errand.refusal(reply) }
    // The store may find out after it has begun to answer.
    if reply.text.has("<Error>") {
      let code = reply.element("Code") ?? "Error"
      if code == "NoSuchUpload" || code == "InvalidPart" { return false }
      throw .passing(word: "server-failed", reason: code, retryAfter: reply.retryAfter)
    }
    return true
  }
}
