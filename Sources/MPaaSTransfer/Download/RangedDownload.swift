import MPaaSSupport
import Synchronization
import SystemPackage

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
    let reply = try errand.exchange(errand.call("HEAD", transfer.url))
    guard reply.isSuccess else { throw TransferFault(reply, transfer.url) }
    guard let size = reply.headers["content-length"].flatMap({ Int64($0) }), size >= Self.least,
      reply.headers["accept-ranges"] != "none", let validator = Self.validator(reply.headers)
    else { return false }
    errand.setSize(size)
    var parts = try errand.parts()
    if parts.isEmpty || parts.contains(where: { $0.tag != validator }) || FileStatus(path) == nil {
      parts = try plan(size, validator)
    }
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw TransferFault(.last(.create, path)) }
    defer { close(descriptor) }
    guard ftruncate(descriptor, off_t(size)) == 0 else { throw TransferFault(.last(.write, path)) }
    let moved = Mutex<[Int: Int64]>(Dictionary(parts.map { ($0.number, $0.moved) }) { $1 })
    let all = parts
    try Concurrent.run(all.count) { index throws(TransferFault) in
      try fetch(all[index], validator, into: descriptor) { number, bytes in
        errand.moved(
          moved.withLock { moved in
            moved[number] = bytes
            return moved.values.reduce(0, +)
          })
      }
    }
    try settle(size)
    return true
  }

  private static func validator(_ headers: [String: String]) -> String? {
    if let tag = headers["etag"], !tag.hasPrefix("W/") { return tag }
    return headers["last-modified"]
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
    _ planned: TransferStore.Part, _ validator: String, into descriptor: Int32,
    _ told: @escaping @Sendable (Int, Int64) -> Void
  ) throws(TransferFault) {
    guard planned.moved < planned.size else { return }
    let (first, last) = (planned.start + planned.moved, planned.start + planned.size - 1)
    var call = errand.call(
      "GET", transfer.url, [("Range", "bytes=\(first)-\(last)"), ("If-Range", validator)])
    let part = Mutex(planned)
    let fault = Mutex<FileError?>(nil)
    let (errand, path) = (errand, path)
    call.receive = { status, headers, bytes in
      guard status == 206, headers["content-range"]?.hasPrefix("bytes \(first)-\(last)/") == true else { return false }
      errand.queue.limiter.wait(for: bytes.count)
      let now = part.withLock { $0 }
      guard Int64(bytes.count) <= now.size - now.moved else { return false }
      if let error = Self.write(bytes, descriptor, at: now.start + now.moved, path) {
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
    case .success(let reply):
      guard reply.isSuccess else { throw TransferFault(reply, transfer.url) }
      guard now.moved == now.size else {
        throw .passing(word: "server-unreachable", reason: "\(now.moved) of \(now.size) bytes came", retryAfter: nil)
      }
    case .failure(.lasting(let error)) where error.code.word == "transfer-not-accepted":
      // Another version, or another range: all is begun anew.
      try errand.removeParts()
      throw .passing(word: error.code.word, reason: "another version", retryAfter: nil)
    case .failure(let error): throw error
    }
  }

  private static func write(
    _ bytes: UnsafeRawBufferPointer, _ descriptor: Int32, at place: Int64, _ path: String
  ) -> FileError? {
    var (rest, place) = (bytes[...], place)
    while !rest.isEmpty {
      let count = pwrite(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count, off_t(place))
      if count > 0 {
        rest = rest.dropFirst(count)
        place += Int64(count)
      } else if errno != EINTR {
        return .last(.write, path)
      }
    }
    return nil
  }

  /// All is there: it gets its name where it is what was wanted.
  private func settle(_ size: Int64) throws(TransferFault) {
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
