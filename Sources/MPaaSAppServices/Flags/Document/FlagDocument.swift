import MPaaSSupport

/// A state in the bytes in which a server sent it, flag by flag: the form in which it is kept on the disk.
///
/// Members that this version does not know stay in it, so that a later version of the app finds them.
struct FlagDocument: Sendable, Equatable {
  /// A flag by its name, or a segment by its number, with its JSON.
  struct Part: Sendable, Equatable {
    var key: [UInt8]
    var bytes: [UInt8]
  }

  private(set) var flags: [Part] = []
  private(set) var segments: [Part] = []
  /// Tells whether a whole state was taken, not only changes.
  private(set) var isWhole = false

  /// Takes a state in the place of the one at hand, or events that change it.
  ///
  /// It is for bytes that `FlagState` has read: what they hold is not checked here.
  ///
  /// - Returns: False, with nothing changed, where the bytes are no state.
  mutating func apply(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var (skim, next) = (JSONSkim(bytes), self)
    var (flags, segments): ([Part]?, [Part]) = (nil, [])
    let isRead = skim.object { name, skim in
      if skim.isName(name, "features") { return Self.read(&skim, isSegments: false) { flags = $0 } }
      if skim.isName(name, "segments") { return Self.read(&skim, isSegments: true) { segments = $0 } }
      guard skim.isName(name, "events") else { return skim.skip() }
      return skim.array { _, skim in next.applyEvent(&skim) }
    }
    guard isRead else { return false }
    if let flags { (next.flags, next.segments, next.isWhole) = (flags, segments, true) }
    self = next
    return true
  }

  /// The bytes of `encoded`, or a few more.
  var size: Int {
    let count = flags.reduce(64) { $0 + $1.bytes.count + 1 }
    return segments.reduce(count) { $0 + $1.bytes.count + 1 }
  }

  /// The state as a client API answers it.
  var encoded: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    bytes.append(contentsOf: #"{"version":2,"features":["#.utf8)
    Self.append(flags, to: &bytes)
    bytes.append(contentsOf: #"],"segments":["#.utf8)
    Self.append(segments, to: &bytes)
    bytes.append(contentsOf: "]}".utf8)
    return bytes
  }

  private static func append(_ parts: [Part], to bytes: inout [UInt8]) {
    for (index, part) in parts.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(contentsOf: part.bytes)
    }
  }

  // MARK: - Events

  private mutating func applyEvent(_ skim: inout JSONSkim) -> Bool {
    var type = ""
    var (flags, segments): ([Part], [Part]) = ([], [])
    var (flag, segment): (Part?, Part?) = (nil, nil)
    var (flagName, segmentID): ([UInt8], [UInt8]) = ([], [])
    let isRead = skim.object { name, skim in
      if skim.isName(name, "type") { return Self.text(&skim) { type = $0 } }
      if skim.isName(name, "features") { return Self.read(&skim, isSegments: false) { flags = $0 } }
      if skim.isName(name, "segments") { return Self.read(&skim, isSegments: true) { segments = $0 } }
      if skim.isName(name, "featureName") { return Self.text(&skim) { flagName = Array($0.utf8) } }
      if skim.isName(name, "segmentId") { return Self.number(&skim) { segmentID = $0 } }
      if skim.isName(name, "feature") {
        flag = Self.part(&skim, isSegment: false)
        return flag != nil
      }
      guard skim.isName(name, "segment") else { return skim.skip() }
      segment = Self.part(&skim, isSegment: true)
      return segment != nil
    }
    guard isRead else { return false }
    switch type {
    case "hydration": (self.flags, self.segments, isWhole) = (flags, segments, true)
    case "feature-updated": if let flag { Self.put(flag, in: &self.flags) }
    case "feature-removed": self.flags.removeAll { $0.key == flagName }
    case "segment-updated": if let segment { Self.put(segment, in: &self.segments) }
    case "segment-removed": self.segments.removeAll { $0.key == segmentID }
    default: break
    }
    return true
  }

  private static func put(_ part: Part, in parts: inout [Part]) {
    if let index = parts.firstIndex(where: { $0.key == part.key }) { parts[index] = part } else { parts.append(part) }
  }
}

// MARK: - Reading

extension FlagDocument {
  /// Reads a list of flags or segments; `null` is an empty one.
  private static func read(_ skim: inout JSONSkim, isSegments: Bool, _ take: ([Part]) -> Void) -> Bool {
    skim.skipSpace()
    var parts: [Part] = []
    if skim.next == UInt8(ascii: "[") {
      let isRead = skim.array { _, skim in
        guard let part = part(&skim, isSegment: isSegments) else { return false }
        parts.append(part)
        return true
      }
      guard isRead else { return false }
    } else if !skim.skip() {
      return false
    }
    take(parts)
    return true
  }

  private static func part(_ skim: inout JSONSkim, isSegment: Bool) -> Part? {
    skim.skipSpace()
    let start = skim.offset
    var key: [UInt8] = isSegment ? [UInt8(ascii: "0")] : []
    let isRead = skim.object { name, skim in
      if isSegment, skim.isName(name, "id") { return number(&skim) { key = $0 } }
      if !isSegment, skim.isName(name, "name") { return text(&skim) { key = Array($0.utf8) } }
      return skim.skip()
    }
    return isRead ? Part(key: key, bytes: Array(skim.bytes[start..<skim.offset])) : nil
  }

  /// Reads a text; anything else is passed over.
  private static func text(_ skim: inout JSONSkim, _ take: (String) -> Void) -> Bool {
    guard skim.next == UInt8(ascii: "\"") else { return skim.skip() }
    guard let text = skim.string() else { return false }
    take(text)
    return true
  }

  private static func number(_ skim: inout JSONSkim, _ take: ([UInt8]) -> Void) -> Bool {
    guard let number = skim.unsigned() else { return false }
    take(Array(String(number).utf8))
    return true
  }
}
