import MPaaSSupport

extension FlagState {
  /// Reads a state: `{"features": […], "segments": […]}`, or `{"events": […]}`, whose events change a state.
  ///
  /// Members that are not known are passed over, and `null` stands for a member that is absent.
  ///
  /// - Parameters:
  ///   - before: The state that events change.
  ///   - isToBeSet: True where somebody sets what is read: a flag must say whether it is enabled then, and a segment
  ///     whom it is for, since one without constraints is for all. Clients take what a server has.
  /// - Throws: `FlagError` `flags-too-large`, `flags-malformed` with line and column, `flags-shape` with the member, or
  ///   the limit that is passed.
  package init(
    json bytes: UnsafeRawBufferPointer, changing before: FlagState = FlagState(), toSet isToBeSet: Bool = false
  ) throws(FlagError) {
    guard bytes.count <= Limit.bytes else {
      throw FlagError(.tooLarge, ["size": "\(bytes.count)", "limit": "\(Limit.bytes)"])
    }
    var reader = FlagStateReader(before, toSet: isToBeSet)
    var skim = JSONSkim(bytes, isStrict: true)
    guard reader.document(&skim), skim.isAtEnd() else { throw reader.error(in: bytes) }
    self = reader.state
  }

  /// Reads a state of JSON text.
  ///
  /// - Throws: `FlagError` as of bytes.
  package init(json text: String, changing before: FlagState = FlagState()) throws(FlagError) {
    var text = text
    let result = text.withUTF8 { bytes in
      Result { () throws(FlagError) in try FlagState(json: UnsafeRawBufferPointer(bytes), changing: before) }
    }
    self = try result.get()
  }
}

/// Goes through the JSON of a state once.
struct FlagStateReader {
  private(set) var state: FlagState
  /// The first thing that is not as it should be.
  private var problem: FlagError?
  private var eventCount = 0
  /// True where members that decide who has a flag must not be missing.
  let isToBeSet: Bool

  init(_ before: FlagState, toSet isToBeSet: Bool) {
    state = before
    self.isToBeSet = isToBeSet
  }

  /// The reason why reading ended: what was noted, or the place where the bytes are no JSON.
  func error(in bytes: UnsafeRawBufferPointer) -> FlagError {
    do {
      _ = try JSONValue(reading: bytes)
    } catch {
      return FlagError(
        .malformed, ["line": "\(error.line)", "column": "\(error.column)", "reason": error.code.rawValue])
    }
    return problem ?? FlagError(.shape, ["member": "features", "wanted": "array"])
  }

  /// Notes that a member is not what is wanted.
  mutating func wrong(_ member: String, _ wanted: String) -> Bool {
    problem = problem ?? FlagError(.shape, ["member": member, "wanted": wanted])
    return false
  }

  mutating func limit(_ code: FlagError.Code, _ count: Int, _ most: Int) -> Bool {
    problem = problem ?? FlagError(code, ["count": "\(count)", "limit": "\(most)"])
    return false
  }

  // MARK: - Values

  static func isNull(_ skim: JSONSkim) -> Bool { skim.next == UInt8(ascii: "n") }

  mutating func text(_ skim: inout JSONSkim, _ member: String, _ value: inout String) -> Bool {
    guard let text = skim.string() else { return wrong(member, "string") }
    value = text
    return true
  }

  mutating func text(_ skim: inout JSONSkim, _ member: String, _ value: inout String?) -> Bool {
    if Self.isNull(skim) { return skim.skip() }
    guard let text = skim.string() else { return wrong(member, "string") }
    value = text
    return true
  }

  /// A text, or a number or a boolean as it is written.
  mutating func scalar(_ skim: inout JSONSkim, _ member: String, _ value: inout String?) -> Bool {
    if skim.next == UInt8(ascii: "\"") || Self.isNull(skim) { return text(&skim, member, &value) }
    let start = skim.offset
    guard skim.next != UInt8(ascii: "{"), skim.next != UInt8(ascii: "["), skim.skip() else {
      return wrong(member, "string")
    }
    value = String(decoding: skim.bytes[start..<skim.offset], as: UTF8.self)
    return true
  }

  mutating func bool(_ skim: inout JSONSkim, _ member: String, _ value: inout Bool) -> Bool {
    if Self.isNull(skim) { return skim.skip() }
    let isTrue = skim.next == UInt8(ascii: "t")
    guard isTrue || skim.next == UInt8(ascii: "f"), skim.skip() else { return wrong(member, "boolean") }
    value = isTrue
    return true
  }

  mutating func number(_ skim: inout JSONSkim, _ member: String, _ value: inout Int) -> Bool {
    guard let number = skim.unsigned(), let whole = Int32(exactly: number) else { return wrong(member, "number") }
    value = Int(whole)
    return true
  }

  mutating func texts(_ skim: inout JSONSkim, _ member: String, _ values: inout [String]) -> Bool {
    if Self.isNull(skim) { return skim.skip() }
    return array(&skim, member, &values) { reader, skim in
      var text: String?
      guard reader.scalar(&skim, member, &text) else { return nil }
      return text ?? ""
    }
  }

  mutating func array<Element>(
    _ skim: inout JSONSkim, _ member: String, _ values: inout [Element],
    _ element: (inout FlagStateReader, inout JSONSkim) -> Element?
  ) -> Bool {
    if Self.isNull(skim) { return skim.skip() }
    guard skim.next == UInt8(ascii: "[") else { return wrong(member, "array") }
    return skim.array { _, skim in
      guard let value = element(&self, &skim) else { return false }
      values.append(value)
      return true
    }
  }

  mutating func object(
    _ skim: inout JSONSkim, _ member: String, _ body: (inout FlagStateReader, Range<Int>, inout JSONSkim) -> Bool
  ) -> Bool {
    guard skim.next == UInt8(ascii: "{") else { return wrong(member, "object") }
    return skim.object { name, skim in body(&self, name, &skim) }
  }

  // MARK: - Documents

  mutating func document(_ skim: inout JSONSkim) -> Bool {
    skim.skipSpace()
    var (flags, hasEvents): ([FlagDefinition]?, Bool) = (nil, false)
    var segments: [SegmentDefinition] = []
    let isRead = object(&skim, "state") { reader, name, skim in
      if skim.isName(name, "features") {
        flags = []
        return reader.flags(&skim, &flags)
      }
      if skim.isName(name, "segments") { return reader.array(&skim, "segments", &segments) { $0.segment(&$1) } }
      if skim.isName(name, "events") {
        hasEvents = true
        guard skim.next == UInt8(ascii: "[") else { return reader.wrong("events", "array") }
        return skim.array { _, skim in reader.event(&skim) }
      }
      return skim.skip()
    }
    guard isRead else { return false }
    if let flags { state = FlagState(flags: flags, segments: segments) }
    guard flags != nil || hasEvents else { return wrong("features", "array") }
    return check()
  }

  private mutating func flags(_ skim: inout JSONSkim, _ flags: inout [FlagDefinition]?) -> Bool {
    guard skim.next == UInt8(ascii: "[") else { return wrong("features", "array") }
    var list: [FlagDefinition] = []
    guard array(&skim, "features", &list, { $0.flag(&$1) }) else { return false }
    flags = list
    return true
  }

  private mutating func check() -> Bool {
    guard state.flags.count <= FlagState.Limit.flags else {
      return limit(.tooMany, state.flags.count, FlagState.Limit.flags)
    }
    return true
  }

  // MARK: - Events

  private mutating func event(_ skim: inout JSONSkim) -> Bool {
    var event = FlagEvent()
    let isRead = object(&skim, "events") { reader, name, skim in
      if skim.isName(name, "type") { return reader.text(&skim, "type", &event.type) }
      if skim.isName(name, "features") { return reader.array(&skim, "features", &event.flags) { $0.flag(&$1) } }
      if skim.isName(name, "segments") { return reader.array(&skim, "segments", &event.segments) { $0.segment(&$1) } }
      if skim.isName(name, "feature") {
        event.flag = reader.flag(&skim)
        return event.flag != nil
      }
      if skim.isName(name, "segment") {
        event.segment = reader.segment(&skim)
        return event.segment != nil
      }
      if skim.isName(name, "featureName") { return reader.text(&skim, "featureName", &event.flagName) }
      if skim.isName(name, "segmentId") { return reader.number(&skim, "segmentId", &event.segmentID) }
      return skim.skip()
    }
    guard isRead else { return false }
    eventCount += 1
    guard eventCount <= FlagState.Limit.flags else { return limit(.tooMany, eventCount, FlagState.Limit.flags) }
    state.apply(event)
    return true
  }
}
