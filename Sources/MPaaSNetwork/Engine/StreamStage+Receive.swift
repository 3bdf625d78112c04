import NIOCore

extension StreamStage {
  /// Takes what came at `time`, and reckons when it is due.
  mutating func receive(_ item: StreamItem, at time: Int64) {
    guard !isClosed else { return }
    var item = item
    item.arrival = time
    switch effect {
    case .delay: append(item, due: LinkTime.sum(time, delay()))
    case .rate, .slice, .hold: append(item)
    case .stall(let model) where model.isTotal: append(item, due: LinkTime.never)
    case .stall, .lag: item.kind == .bytes ? receiveSegments(item) : append(item, due: time)
    case .flip(let share): append(flipped(item, share), due: time)
    case .limit(let bytes): count(item, to: bytes)
    case .slowEnd(let pause): append(item, due: item.kind == .bytes ? time : LinkTime.sum(max(last, time), pause))
    case .swallow: if item.kind != .bytes { append(item, due: time) }
    case .reset(let pause): if verdict == LinkTime.never { verdict = LinkTime.sum(time, pause) }
    case .flightMode: break
    }
  }

  private mutating func delay() -> Int64 {
    guard case .delay(var source) = effect else { return 0 }
    let delay = source.next(&random)
    effect = .delay(source)
    return max(0, delay - trim)
  }

  /// Cuts a chunk where a segment of it comes late.
  ///
  /// Segments are counted through chunks; a chunk that is smaller than one is a message of its own.
  private mutating func receiveSegments(_ item: StreamItem) {
    var rest = item
    let size = item.bytes.readableBytes
    var place = 0
    while place < size {
      if segmentRest == 0 {
        segmentRest = Self.segment
        if let due = segmentDue(at: item.arrival) {
          let before = place - (size - rest.bytes.readableBytes)
          if let bytes = rest.bytes.readSlice(length: before), before > 0 {
            append(StreamItem(.bytes, bytes, at: item.arrival), due: item.arrival)
          }
          last = max(last, due)
        }
      }
      let step = min(segmentRest, size - place)
      place += step
      segmentRest -= step
    }
    if size < Self.segment { segmentRest = 0 }
    append(rest, due: item.arrival)
  }

  /// The earliest time of the segment that begins comes at the earliest; nil where it is not late.
  private mutating func segmentDue(at time: Int64) -> Int64? {
    switch effect {
    case .stall(var model):
      let stall = model.nextStall(&random)
      effect = .stall(model)
      return stall > 0 ? LinkTime.sum(max(last, time), stall) : nil
    case .lag(let share, let delay): return random.happens(share) ? LinkTime.sum(time, delay) : nil
    default: return nil
    }
  }

  /// Flips a bit in this share of the segments.
  private mutating func flipped(_ item: StreamItem, _ share: Double) -> StreamItem {
    var item = item
    let start = item.bytes.readerIndex
    let size = item.bytes.readableBytes
    var place = 0
    while place < size {
      if segmentRest == 0 {
        segmentRest = Self.segment
        // A short chunk is a message of its own.
        flipAt = random.happens(share) ? random.below(min(Self.segment, size < Self.segment ? size : .max)) : nil
      }
      let step = min(segmentRest, size - place)
      if let at = flipAt {
        if at < step, let byte: UInt8 = item.bytes.getInteger(at: start + place + at) {
          item.bytes.setInteger(byte ^ 1 << UInt8(random.below(8)), at: start + place + at)
        }
        flipAt = at < step ? nil : at - step
      }
      place += step
      segmentRest -= step
    }
    if size < Self.segment { segmentRest = 0 }
    return item
  }

  /// Lets bytes pass up to a limit, and then closes.
  private mutating func count(_ item: StreamItem, to limit: Int64) {
    guard item.kind == .bytes else { return append(item, due: item.arrival) }
    var item = item
    let room = Int(clamping: max(0, limit - counted))
    let size = min(room, item.bytes.readableBytes)
    counted += Int64(size)
    if let bytes = item.bytes.readSlice(length: size), size > 0 {
      append(StreamItem(.bytes, bytes, at: item.arrival), due: item.arrival)
    }
    guard counted >= limit else { return }
    append(StreamItem(.close, at: item.arrival), due: item.arrival)
    isClosed = true
  }
}
