#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Tokens that stand at several places, as long as they go on to be the same in both directions.
struct TokenRepeat: Sendable {
  var length: Int
  /// In their order; no two of the ranges overlap.
  var places: [Int]
}

/// A search for all longest repeats of a window's length or more.
///
/// Each window that stands at several places is found by hash and compared by its tokens. Those that could begin
/// earlier at all their places are left to the window before; the others are followed to their ends.
struct RepeatFinder {
  let tokens: UnsafeBufferPointer<UInt32>
  let kinds: [TokenKind]
  let window: Int
  let renames: Bool
  private var renaming: Renaming
  private(set) var found: [TokenRepeat] = []
  /// Comparisons that are left; past them nothing is followed further, so that no input takes more than linear time.
  private var budget: Int

  private init(_ tokens: UnsafeBufferPointer<UInt32>, _ kinds: [TokenKind], _ window: Int, _ renames: Bool) {
    (self.tokens, self.kinds, self.window, self.renames) = (tokens, kinds, window, renames)
    renaming = Renaming(kinds: renames ? kinds : [])
    budget = 64 * (tokens.count + 1 << 16)
  }

  static func repeats(in stream: TokenStream, window: Int, renames: Bool) -> [TokenRepeat] {
    stream.tokens.withUnsafeBufferPointer { tokens in
      let groups = WindowGroups(tokens, RollingHash(window: window, renames: renames, kinds: stream.kinds))
      var finder = RepeatFinder(tokens, stream.kinds, window, renames)
      groups.each { finder.examine($0) }
      return finder.found
    }
  }

  private mutating func examine(_ entries: ArraySlice<UInt64>) {
    if !renames, haveSameLeft(entries) { return }
    var classes: [[Int]] = []
    for entry in entries {
      let place = Int(entry & 0xffff_ffff)
      var index = 0
      while index < classes.count, length(classes[index][0], place, from: 0, to: window) < window { index += 1 }
      if index < classes.count { classes[index].append(place) } else { classes.append([place]) }
    }
    for places in classes where places.count > 1 { follow(places) }
  }

  private func haveSameLeft(_ entries: ArraySlice<UInt64>) -> Bool {
    guard let first = entries.first.map({ Int($0 & 0xffff_ffff) }), first > 0 else { return false }
    let left = tokens[first - 1]
    return left < TokenStream.firstEnd && entries.allSatisfy { tokens[Int($0 & 0xffff_ffff) - 1] == left }
  }

  /// Follows places of the same window to the right, and parts them where they differ.
  private mutating func follow(_ all: [Int]) {
    if !renames { halveTables(all) }
    var work: [(places: [Int], length: Int)] = [(firsts(all, by: window - 1), window)]
    while let (places, least) = work.popLast() {
      guard places.count > 1, budget > 0 else { continue }
      let room = zip(places, places.dropFirst()).map { $1 - $0 }.min() ?? .max
      let length = commonLength(places, from: least, to: room)
      guard isLeftDiverse(places, length) else { continue }
      found.append(TokenRepeat(length: length, places: places))
      budget -= length * places.count
      if length == room {
        work.append((firsts(places, by: length), length))
      } else {
        for part in parted(places, at: length) { work.append((part, length)) }
      }
    }
  }

  /// The places without those that follow one before within a length: rows of a table count by their first.
  private func firsts(_ places: [Int], by length: Int) -> [Int] {
    var last = -length - 1
    return places.filter { place in
      defer { last = place }
      return place - last > length
    }
  }

  /// Finds the halves of each table: rows that are the same, so many that windows at them overlap.
  private mutating func halveTables(_ places: [Int]) {
    var first = 0
    while first < places.count {
      var last = first
      while last + 1 < places.count, places[last + 1] - places[last] < window { last += 1 }
      defer { first = last + 1 }
      guard last > first else { continue }
      let (start, period) = (places[first], places[first + 1] - places[first])
      // Another window begins the table where this one goes on to the left.
      guard start == 0 || tokens[start - 1] != tokens[start + period - 1] else { continue }
      let half = (places[last] - start + window) / 2 / period * period
      if half >= window, length(start, start + half, from: 0, to: half) == half {
        found.append(TokenRepeat(length: half, places: [start, start + half]))
      }
    }
  }

  private mutating func commonLength(_ places: [Int], from least: Int, to room: Int) -> Int {
    var common = room
    for place in places.dropFirst() {
      common = min(common, length(places[0], place, from: renames ? 0 : least, to: common))
    }
    return max(common, least)
  }

  /// The number of tokens that are the same at two places, `limit` at most.
  private mutating func length(_ left: Int, _ right: Int, from least: Int, to limit: Int) -> Int {
    let limit = min(limit, tokens.count - max(left, right))
    if renames { return renaming.length(tokens, left, right, limit) }
    var length = least
    while length < limit, tokens[left + length] == tokens[right + length] { length += 1 }
    return length
  }

  /// Tells whether the tokens before differ, so that the repeat begins here.
  private func isLeftDiverse(_ places: [Int], _ length: Int) -> Bool {
    guard places[0] > 0 else { return true }
    let first = leftMark(places[0], length)
    return first == nil || places.contains { leftMark($0, length) != first }
  }

  /// The token before a place as one for the repeat; nil where none is before it.
  private func leftMark(_ place: Int, _ length: Int) -> UInt64? {
    guard place > 0, tokens[place - 1] < TokenStream.firstEnd else { return nil }
    let token = tokens[place - 1]
    guard renames else { return UInt64(token) }
    switch kinds[Int(token)] {
    case .string: return 1 << 40
    case .number: return 1 << 41
    case .word:
      var next = place
      while next < place + window, tokens[next] != token { next += 1 }
      return 1 << 42 + UInt64(next < place + window ? next - place : window)
    default: return UInt64(token)
    }
  }

  /// The places by the token that follows the repeat, where two or more have the same.
  private func parted(_ places: [Int], at length: Int) -> [[Int]] {
    var parts: [UInt64: [Int]] = [:]
    for place in places {
      guard place + length < tokens.count else { continue }
      let token = tokens[place + length]
      guard token < TokenStream.firstEnd else { continue }
      parts[mark(token, place, length), default: []].append(place)
    }
    guard parts.count > 1 || places.count > parts.first?.value.count ?? 0 else { return [] }
    return parts.values.filter { $0.count > 1 }
  }

  private func mark(_ token: UInt32, _ place: Int, _ length: Int) -> UInt64 {
    guard renames else { return UInt64(token) }
    switch kinds[Int(token)] {
    case .string: return 1 << 40
    case .number: return 1 << 41
    case .word:
      var before = place + length - 1
      while before >= place, tokens[before] != token { before -= 1 }
      return 1 << 42 + UInt64(before >= place ? place + length - before : 0)
    default: return UInt64(token)
    }
  }
}
