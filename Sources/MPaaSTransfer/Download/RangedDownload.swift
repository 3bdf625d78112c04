import MPaaSLock
import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A download in several ranges of the same version at once.
struct RangedDownload {
  let errand: TransferErrand
  /// Smaller files come in one piece.
  private static let least: Int64 = 1 << 20

  init(_ errand: TransferErrand) { self.errand = errand }

  private var transfer: Transfer { errand.transfer }
  private var path: String { transfer.file + ".parts" }

  /// Brings the file; false where the server's answer is not one to fetch in ranges.
  func run() throws(TransferFault) -> Bool {
    var parts = try errand.parts()
    if !isWhole(parts) {
      guard let version = try version() else { return false }
      parts = try plan(version.size, version.validator)
    }
    guard let validator = parts.first?.tag, let size = parts.last.map({ $0.start + $0.size }) else { return false }
    errand.setSize(size)
    let file = try partial(of: size)
    let moved = Lock<[Int: Int64]>(Dictionary(parts.map { ($0.number, $0.moved) }) { $1 })
    let all = parts
    let version = Version(validator: validator, size: size)
    do throws(TransferFault) {
      try Concurrent.run(all.count) { index throws(TransferFault) in
        try fetch(all[index], of: version, into: file) { number, bytes in
          errand.moved(
            moved.withLock { moved in
              moved[number] = bytes
              return moved.values.reduce(0, +)
            })
        }
      }
      try settle(size, version)
    } catch {
      // Only now no other part writes down how far it is.
      if version.isGone { try forget() }
      throw error
    }
    return true
  }

  /// Tells whether the parts are those of one version, and the file that they are written to is there.
  private func isWhole(_ parts: [TransferStore.Part]) -> Bool {
    guard let tag = parts.first?.tag, FileStatus(path) != nil else { return false }
    var end: Int64 = 0
    for part in parts {
      guard part.tag == tag, part.start == end else { return false }
      end += part.size
    }
    return parts.count == transfer.parts
  }

  /// Asks for one byte, as what is signed for GET permits no HEAD; nil where the file is not one to fetch in ranges.
  private func version() throws(TransferFault) -> (size: Int64, validator: String)? {
    var call = errand.call("GET", transfer.url, [("Range", "bytes=0-0")])
    // A server without ranges sends all of it, which is not waited for.
    call.receive = { status, _, _ in status == 206 }
    let reply: HTTPReply
    do throws(TransferFault) {
      reply = try errand.exchange(call)
    } catch .lasting(let error) where error.code.word == "transfer-not-accepted" {
      return nil
    }
    // An empty file has no first byte.
    if reply.status == 416 { return nil }
    guard reply.isSuccess else { throw TransferFault(reply, transfer.url) }
    guard reply.status == 206, let size = Self.whole(reply.headers), size >= Self.least,
      let validator = AnswerHead.validator(reply.headers)
    else { return nil }
    return (size, validator)
  }

  /// Bytes of the whole file, as `Content-Range` says.
  private static func whole(_ headers: [String: String]) -> Int64? {
    headers["content-range"]?.split(separator: "/").last.flatMap { Int64($0) }
  }

  /// The version that is fetched, and what its answers say of it.
  private final class Version: Sendable {
    let validator: String
    let size: Int64
    private let state = Lock<(isGone: Bool, claim: FileClaim?)>((false, nil))

    init(validator: String, size: Int64) {
      self.validator = validator
      self.size = size
    }

    /// Tells whether the server has another one now.
    var isGone: Bool { state.withLock { $0.isGone } }
    /// The digests of the whole file.
    var claim: FileClaim? { state.withLock { $0.claim } }

    func noteGone() { state.withLock { $0.isGone = true } }

    func note(_ digests: DigestField) {
      guard !digests.isEmpty else { return }
      state.withLock { $0.claim = FileClaim(name: "Repr-Digest", start: 0, digests: digests) }
    }
  }

  /// The file that the parts are written to, with room for all of them.
  private func partial(of size: Int64) throws(TransferFault) -> SharedFile {
    do throws(FileError) {
      let file = try OpenFile(path, .making(0o600), followsLinks: false)
      try file.resize(to: UInt64(size))
      return SharedFile(file)
    } catch {
      throw TransferFault(error)
    }
  }

  /// Forgets what came, so that all is begun anew.
  private func forget() throws(TransferFault) {
    try errand.removeParts()
    unlink(path)
  }

  private func plan(_ size: Int64, _ validator: String) throws(TransferFault) -> [TransferStore.Part] {
    try errand.removeParts()
    let count = Int64(transfer.parts)
    var parts: [TransferStore.Part] = []
    for number in 0..<count {
      let (start, end) = (size / count * number, number + 1 == count ? size : size / count * (number + 1))
      let part = TransferStore.Part(number: Int(number), start: start, size: end - start, tag: validator)
      try errand.put(part)
      parts.append(part)
    }
    return parts
  }

  private func fetch(
    _ planned: TransferStore.Part, of version: Version, into file: SharedFile,
    _ told: @escaping @Sendable (Int, Int64) -> Void
  ) throws(TransferFault) {
    guard planned.moved < planned.size else { return }
    let (first, last) = (planned.start + planned.moved, planned.start + planned.size - 1)
    var call = errand.call(
      "GET", transfer.url, [("Range", "bytes=\(first)-\(last)"), ("If-Range", version.validator)])
    let part = Lock(planned)
    let fault = Lock<FileError?>(nil)
    let errand = errand
    call.receive = { status, headers, bytes in
      // Some servers do not look at If-Range.
      guard status == 206, headers["content-range"] == "bytes \(first)-\(last)/\(version.size)",
        AnswerHead.isOf(version.validator, headers)
      else {
        version.noteGone()
        return false
      }
      errand.queue.limiter.wait(for: bytes.count)
      let now = part.withLock { $0 }
      guard Int64(bytes.count) <= now.size - now.moved else { return false }
      do throws(FileError) {
        try file.file.write(bytes, at: UInt64(now.start + now.moved))
      } catch {
        fault.withLock { $0 = error }
        return false
      }
      told(now.number, now.moved + Int64(bytes.count))
      part.withLock { $0.moved += Int64(bytes.count) }
      return true
    }
    let result: Result<HTTPReply, TransferFault>
    do throws(TransferFault) {
      result = .success(try errand.exchange(call))
    } catch {
      result = .failure(error)
    }
    let now = part.withLock { $0 }
    try errand.put(now)
    if let error = fault.withLock({ $0 }) { throw TransferFault(error) }
    switch result {
    case .success(let reply) where reply.status == 416:
      version.noteGone()
      throw .passing(word: "transfer-not-accepted", reason: "another version", retryAfter: nil)
    case .success(let reply):
      guard reply.isSuccess else { throw TransferFault(reply, transfer.url) }
      guard now.moved == now.size else {
        throw .passing(word: "server-unreachable", reason: "\(now.moved) of \(now.size) bytes came", retryAfter: nil)
      }
      try check(reply, first..<(last + 1), of: version)
    case .failure(.lasting(let error)) where error.code.word == "transfer-not-accepted":
      throw .passing(word: error.code.word, reason: "another version", retryAfter: nil)
    case .failure(let error): throw error
    }
  }

  /// Compares what an answer brought with the digests that it states.
  private func check(_ reply: HTTPReply, _ range: Range<Int64>, of version: Version) throws(TransferFault) {
    let digests = AnswerHead.digests(reply.headers)
    version.note(digests.file)
    guard !digests.body.isEmpty else { return }
    let claim = FileClaim(
      name: "Content-Digest", start: UInt64(range.lowerBound), end: UInt64(range.upperBound), digests: digests.body)
    try check(claim, of: version)
  }

  private func check(_ claim: FileClaim, of version: Version) throws(TransferFault) {
    do throws(FileError) {
      guard try !claim.holds(of: path) else { return }
    } catch {
      throw TransferFault(error)
    }
    version.noteGone()
    throw TransferFault(HTTPError(.damaged, url: transfer.url, reason: claim.name))
  }

  /// All is there: it gets its name where it is what was wanted.
  private func settle(_ size: Int64, _ version: Version) throws(TransferFault) {
    if let claim = version.claim { try check(claim, of: version) }
    let digest: String
    do throws(FileError) {
      digest = try FileDigest.of(path, isCancelled: { errand.isEnded }).hexadecimal
    } catch {
      throw TransferFault(error)
    }
    if errand.isEnded { throw .ended }
    if let wanted = transfer.sha256?.lowercased(), wanted != digest {
      try errand.removeParts()
      unlink(path)
      throw .lasting(TransferError(.mismatch, ["url": transfer.url, "path": transfer.file, "reason": digest]))
    }
    guard rename(path, transfer.file) == 0 else { throw TransferFault(.last(.rename, transfer.file)) }
    FileSystem.settle(FileSystem.folder(of: transfer.file))
    try errand.acknowledge(size)
    try errand.note { $0.sha256 = digest }
    try errand.removeParts()
  }
}
