import Dispatch
import MPaaSDigests
import MPaaSLock
import MPaaSSupport
import MPaaSTransfer
import MPaaSXML

extension S3Store {
  /// Files of more bytes than this go in parts.
  package static let largestPut: Int64 = 16 << 20
  /// The store takes at most 10,000 parts.
  private static let leastPart: Int64 = 8 << 20
  private static let mostParts: Int64 = 10_000
  /// Parts that are on their way at once.
  private static let atOnce = 3

  /// Puts a file whose SHA-256 is known: in one request, or in parts where it is large.
  ///
  /// There is no object before all of it is there; parts of one that fails are removed.
  package func put(_ name: String, file: String, sha256: String, size: Int64) throws(S3Error) {
    guard size > Self.largestPut else {
      return try put(name, .file(path: file, offset: 0, size: UInt64(size)), sha256: sha256)
    }
    let upload = try begin(name)
    do throws(S3Error) {
      try complete(name, upload, try parts(name, upload, file, size))
    } catch {
      var request = Request("DELETE", name)
      request.query = [("uploadId", upload)]
      _ = try? exchange(request)
      throw error
    }
  }

  /// Begins an object in parts; gives the name of the upload.
  private func begin(_ name: String) throws(S3Error) -> String {
    var request = Request("POST", name)
    request.query = [("uploads", "")]
    request.headers = [("Content-Type", "application/octet-stream")]
    request.body = .bytes(.empty)
    let reply = try exchange(request)
    guard reply.isSuccess else { throw S3Error(reply) }
    guard let root = try? XMLDocument.root(of: reply.body), let upload = root.text(of: "UploadId") else {
      throw S3Error(.malformed, "UploadId")
    }
    return upload
  }

  /// Puts all parts; gives their entity tags in order.
  private func parts(
    _ name: String, _ upload: String, _ file: String, _ size: Int64
  ) throws(S3Error) -> [String] {
    let step = max(Self.leastPart, (size + Self.mostParts - 1) / Self.mostParts)
    let count = Int((size + step - 1) / step)
    let board = Lock<Board>(Board(tags: Array(repeating: "", count: count)))
    let done = DispatchSemaphore(value: 0)
    let workers = min(Self.atOnce, count)
    for _ in 0..<workers {
      DetachedThread.run {
        while let number = board.withLock({ $0.next() }) {
          let start = Int64(number) * step
          do throws(S3Error) {
            let tag = try put(name, upload, number, file, start..<min(start + step, size))
            board.withLock { $0.tags[number] = tag }
          } catch {
            board.withLock { $0.fault = $0.fault ?? error }
          }
        }
        let isLast = board.withLock { board in
          board.ended += 1
          return board.ended == workers
        }
        if isLast { done.signal() }
      }
    }
    done.wait()
    let end = board.withLock { $0 }
    if let fault = end.fault { throw fault }
    return end.tags
  }

  private struct Board: Sendable {
    var tags: [String]
    var begun = 0
    var ended = 0
    var fault: S3Error?

    /// The number of the next part; nil where all have begun, or one has failed.
    mutating func next() -> Int? {
      guard fault == nil, begun < tags.count else { return nil }
      defer { begun += 1 }
      return begun
    }
  }

  /// Puts a part; gives its entity tag.
  private func put(
    _ name: String, _ upload: String, _ number: Int, _ file: String, _ range: Range<Int64>
  ) throws(S3Error) -> String {
    var request = Request("PUT", name)
    request.query = [("partNumber", String(number + 1)), ("uploadId", upload)]
    let (start, end) = (UInt64(range.lowerBound), UInt64(range.upperBound))
    do throws(FileError) {
      request.sha256 = try DigestAlgorithm.sha256.digest(ofFile: file, start..<end).hexadecimal
    } catch {
      throw S3Error(.file, "\(error.path): \(error.code)")
    }
    request.body = .file(path: file, offset: start, size: end - start)
    let reply = try exchange(request)
    guard reply.isSuccess else { throw S3Error(reply) }
    guard let tag = reply.headers["etag"] else { throw S3Error(.malformed, "ETag") }
    return tag
  }

  private func complete(_ name: String, _ upload: String, _ tags: [String]) throws(S3Error) {
    let parts = tags.enumerated().map { number, tag in
      "<Part><PartNumber>\(number + 1)</PartNumber><ETag>\(tag.escapedMarkup(.content))</ETag></Part>"
    }
    let text =
      "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">" + parts.joined()
      + "</CompleteMultipartUpload>"
    let body = Bytes(text.utf8)
    var request = Request("POST", name)
    request.query = [("uploadId", upload)]
    request.headers = [("Content-Type", "application/xml")]
    request.body = .bytes(body)
    request.sha256 = body.sha256.hexadecimal
    let reply = try exchange(request)
    guard reply.isSuccess else { throw S3Error(reply) }
    // The store may find out that it cannot after it has begun to answer.
    if let fault = S3Fault(reply.body) { throw S3Error(.away, "\(fault.code): \(fault.message)") }
  }
}
