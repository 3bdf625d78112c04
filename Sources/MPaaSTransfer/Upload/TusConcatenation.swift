import MPaaSLock
import MPaaSSupport

/// An upload in parts that go at the same time, which the server joins (tus concatenation).
struct TusConcatenation {
  let upload: TusUpload
  let digest: FileDigest
  private var errand: TransferErrand { upload.errand }

  init(_ upload: TusUpload, _ digest: FileDigest) {
    self.upload = upload
    self.digest = digest
  }

  func run() throws(TransferFault) {
    var parts = try errand.parts()
    if parts.isEmpty { parts = try plan() }
    let moved = Lock<[Int: Int64]>(Dictionary(parts.map { ($0.number, $0.moved) }) { $1 })
    let all = parts
    // The last of the threads reads the file for its digest meanwhile.
    try Concurrent.run(all.count + 1) { index throws(TransferFault) in
      guard index < all.count else { return try upload.advance(digest, to: errand.size) }
      try send(all[index]) { number, bytes in
        let sum = moved.withLock { moved in
          moved[number] = bytes
          return moved.values.reduce(0, +)
        }
        errand.moved(sum)
      }
    }
    try join()
  }

  private func plan() throws(TransferFault) -> [TransferStore.Part] {
    let (size, count) = (Int64(clamping: errand.size), Int64(errand.transfer.parts))
    var parts: [TransferStore.Part] = []
    for number in 0..<count {
      let (start, end) = (size / count * number, number + 1 == count ? size : size / count * (number + 1))
      parts.append(TransferStore.Part(number: Int(number), start: start, size: end - start))
    }
    for part in parts { try errand.put(part) }
    return parts
  }

  private func send(_ planned: TransferStore.Part, _ told: @escaping @Sendable (Int, Int64) -> Void)
    throws(TransferFault)
  {
    var part = planned
    let base = UInt64(part.start)
    let end = base + UInt64(part.size)
    let step =
      errand.transfer.chunk.map { UInt64(clamping: $0) } ?? (errand.transfer.checksum == nil ? .max >> 1 : 8 << 20)
    for _ in 0..<6 {
      var offset = try position(&part)
      told(part.number, Int64(offset))
      var isSent = true
      while base + offset < end {
        let range = base + offset..<min(base + offset + step, end)
        let number = part.number
        let begun = offset
        guard let location = part.location,
          let now = try patch(location, range, base, { told(number, Int64(clamping: begun + $0)) })
        else {
          isSent = false
          break
        }
        offset = now - base
        part.moved = Int64(offset)
        try errand.put(part)
      }
      if isSent { return }
    }
    throw .passing(word: "transfer-protocol-fault", reason: "409", retryAfter: nil)
  }

  private func patch(
    _ location: String, _ range: Range<UInt64>, _ base: UInt64, _ told: @escaping @Sendable (UInt64) -> Void
  ) throws(TransferFault) -> UInt64? {
    do throws(TusLoss) {
      let patched = try upload.patch(location, range, nil, isLast: nil, base: base, told: told)
      if case .moved(let now) = patched { return now }
      return nil
    } catch {
      if case .fault(let fault) = error { throw fault }
      return nil
    }
  }

  /// The number of bytes that the server has of a part, which is made where it is not there.
  private func position(_ part: inout TransferStore.Part) throws(TransferFault) -> UInt64 {
    if let location = part.location {
      let (offset, isThere) = try upload.head(location, UInt64(part.size))
      if isThere {
        part.moved = Int64(clamping: offset)
        return offset
      }
    }
    let made = try upload.create(UInt64(part.size), "", concat: "partial")
    part.location = made.url
    part.moved = Int64(clamping: made.offset)
    try errand.put(part)
    return made.offset
  }

  /// Has the server make one of all.
  private func join() throws(TransferFault) {
    let places = try errand.parts().compactMap(\.location).map { location in
      // Paths are what all servers understand.
      String(location.dropFirst(WebAddress.origin(location).count))
    }
    let metadata = upload.metadata(sha256: digest.hexadecimal)
    let made = try upload.create(0, metadata, concat: "final;" + places.joined(separator: " "))
    try errand.note { $0.location = made.url }
    try errand.finish(digest)
    try errand.removeParts()
  }
}

/// Work on several threads of their own, which the caller waits for.
enum Concurrent {
  private final class Board: Sendable {
    let state: Lock<(left: Int, fault: TransferFault?)>

    init(_ count: Int) { state = Lock((count, nil)) }
  }

  /// Runs `body` for each number, all at once; the first fault is thrown when all have ended.
  static func run(_ count: Int, _ body: @escaping @Sendable (Int) throws(TransferFault) -> Void) throws(TransferFault) {
    let board = Board(count)
    let done = ThreadGate()
    for index in 0..<count {
      DetachedThread.run {
        var failed: TransferFault?
        do throws(TransferFault) {
          try body(index)
        } catch {
          failed = error
        }
        let fault = failed
        let isLast = board.state.withLock { state in
          state.left -= 1
          state.fault = state.fault ?? fault
          return state.left == 0
        }
        if isLast { done.open() }
      }
    }
    done.wait()
    if let fault = board.state.withLock({ $0.fault }) { throw fault }
  }
}
