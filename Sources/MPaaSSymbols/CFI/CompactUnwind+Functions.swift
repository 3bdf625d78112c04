import MPaaSSupport

extension CompactUnwind {
  /// The functions of the table, rising.
  ///
  /// Each reaches to the next, the last to the end that the table names. Pages without entries are of no function.
  var functions: [Range<UInt64>] {
    defer { withExtendedLifetime(info) {} }
    guard let indexOffset = word(20), let indexCount = word(24), indexCount > 1 else { return [] }
    // A page has no more entries than the section has room for.
    let count = min(Int(indexCount), info.count / 12)
    var starts: [(start: UInt32, isKnown: Bool)] = []
    for index in 0..<count - 1 {
      let place = Int(indexOffset) + index * 12
      guard let base = word(place), let page = word(place + 4), starts.count <= info.count else { return [] }
      if page == 0 { starts.append((base, false)) } else { addPage(Int(page), base: base, to: &starts) }
    }
    guard let end = word(Int(indexOffset) + (count - 1) * 12) else { return [] }
    starts.append((end, false))
    starts.sort { $0.start < $1.start }
    return zip(starts, starts.dropFirst()).compactMap { function, next in
      guard function.isKnown, function.start < next.start else { return nil }
      return textAddress &+ UInt64(function.start)..<textAddress &+ UInt64(next.start)
    }
  }

  private func addPage(_ page: Int, base: UInt32, to starts: inout [(start: UInt32, isKnown: Bool)]) {
    guard let kind = word(page), let head = word(page + 4) else { return }
    let isRegular = kind == 2
    guard isRegular || kind == 3 else { return }
    let start = page + Int(head & 0xffff)
    for index in 0..<Int(head >> 16) {
      guard let entry = word(start + index * (isRegular ? 8 : 4)) else { return }
      starts.append((isRegular ? entry : base &+ (entry & 0xff_ffff), true))
    }
  }
}
