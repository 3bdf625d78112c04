import NIOCore

extension StreamStage {
  /// The time when there is something to do next.
  var nextDue: Int64 {
    switch effect {
    case .rate(let rate):
      guard let first = queue.first else { return LinkTime.never }
      guard first.kind == .bytes else { return max(last, first.arrival) }
      return rate.rate == 0 ? LinkTime.never : reserved?.due ?? first.arrival
    case .slice: return queue.first.map { max(last, $0.arrival) } ?? LinkTime.never
    case .hold: return LinkTime.never
    case .flightMode: return .min
    case .swallow, .reset: return min(queue.first?.due ?? LinkTime.never, verdict)
    default: return queue.first?.due ?? LinkTime.never
    }
  }

  /// The time when it resets the connection.
  var resetDue: Int64 {
    switch effect {
    case .reset: verdict
    case .flightMode: .min
    default: LinkTime.never
    }
  }

  /// Takes what is due next, with the time at which it is.
  ///
  /// - Parameters:
  ///   - limit: Nothing later is taken.
  ///   - now: The holder's time.
  mutating func next(upTo limit: Int64, now: Int64) -> StreamItem? {
    switch effect {
    case .rate: return nextByRate(limit, now)
    case .slice(let size, let variation, let pause): return nextSlice(limit, size, variation, pause)
    case .hold: return nil
    case .swallow where verdict <= limit && (queue.first?.due ?? LinkTime.never) > verdict:
      let time = verdict
      close()
      return StreamItem(.close, at: time)
    default:
      guard let due = queue.first?.due, due <= limit else { return nil }
      return popFirst()
    }
  }

  /// Takes nothing more, since the connection is closed here.
  mutating func close() {
    isClosed = true
    verdict = LinkTime.never
    queue.removeAll()
    held = 0
  }

  private mutating func nextByRate(_ limit: Int64, _ now: Int64) -> StreamItem? {
    guard let first = queue.first else { return nil }
    guard first.kind == .bytes else {
      last = max(last, first.arrival)
      guard last <= limit else { return nil }
      return popFirst().map { StreamItem($0.kind, at: last) }
    }
    if credit == 0 {
      guard reserve(first, now), let place = reserved, place.due <= limit else { return nil }
      (credit, last) = (place.bytes, max(last, place.due))
      reserved = nil
    }
    let item = take(credit)
    credit -= item?.bytes.readableBytes ?? credit
    return item
  }

  /// Takes a place in the schedule where none is taken.
  ///
  /// A link of its own takes it for a piece of the first chunk, so that each chunk is through when its last byte is;
  /// one that shares takes as much as it may, so that links with small chunks are not worse off.
  private mutating func reserve(_ first: StreamItem, _ now: Int64) -> Bool {
    guard reserved == nil, case .rate(var rate) = effect else { return reserved != nil }
    let bytes = min(rate.piece, rate.shared == nil ? first.bytes.readableBytes : held)
    let due = rate.reserve(bytes, arrival: first.arrival, now: now)
    effect = .rate(rate)
    guard due != LinkTime.never else { return false }
    reserved = (bytes, due)
    return true
  }

  private mutating func nextSlice(_ limit: Int64, _ size: Int, _ variation: Int, _ pause: Int64) -> StreamItem? {
    guard let first = queue.first, case let time = max(last, first.arrival), time <= limit else { return nil }
    guard first.kind == .bytes else { return popFirst().map { StreamItem($0.kind, at: time) } }
    let length = size - variation + random.below(2 * variation + 1)
    last = LinkTime.sum(time, pause)
    return take(length, at: time)
  }

  /// Cuts at most so many bytes from the first item.
  private mutating func take(_ length: Int, at time: Int64? = nil) -> StreamItem? {
    guard var first = queue.first, length > 0 else { return nil }
    let due = time ?? last
    guard length < first.bytes.readableBytes, let bytes = first.bytes.readSlice(length: length) else {
      return popFirst().map { StreamItem($0.kind, $0.bytes, at: due) }
    }
    queue[0] = first
    held -= length
    return StreamItem(.bytes, bytes, at: due)
  }
}
