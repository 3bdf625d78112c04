import MPaaSSupport

/// Collapsed stacks: a stack a line, outermost first, with semicolons between, then a blank and a count.
///
/// - Source: the README of Brendan Gregg's FlameGraph, "Fold stacks".
struct CollapsedReader {
  private var profile: Profile
  private var thread = ProfileThread()
  private var known = KnownStacks()
  /// Frames by the numbers of strings; -1 where there is none yet.
  private var frames: [Int32] = []

  private init(file: String) {
    profile = Profile(name: file)
  }

  /// Reads a file.
  ///
  /// - Throws: `profile-bad-line` for a line without a whole count or without a stack; `profile-too-deep`.
  static func profile(_ bytes: UnsafeRawBufferPointer, file: String) throws(ProfileError) -> Profile {
    var reader = CollapsedReader(file: file)
    var lines = TextLines(bytes)
    while true {
      let start = lines.offset
      guard let line = lines.next()?.trimmed else { break }
      if line.isEmpty { continue }
      if let code = reader.refusal(of: line) {
        throw ProfileError(
          code, ["file": file, "format": "collapsed", "limit": "\(Profile.deepest)"],
          at: .text(file: file, line: lines.number(at: start), column: nil))
      }
    }
    reader.profile.threads = [reader.thread]
    return reader.profile
  }

  /// Takes a line, or says why it cannot.
  private mutating func refusal(of line: UnsafeRawBufferPointer) -> ProfileError.Code? {
    guard let blank = line.lastIndex(of: 0x20), let weight = line.part(blank + 1..<line.count).wholeNumber else {
      return .badLine
    }
    let text = line.part(0..<blank).trimmed
    guard !text.isEmpty else { return .badLine }
    let row = known.row(of: text)
    if known[row] == nil {
      guard let stack = stack(of: text) else { return .badLine }
      guard Int(profile.stacks.depths[stack]) <= Profile.deepest else { return .tooDeep }
      known[row] = stack
    }
    thread.append(stack: known[row] ?? -1, weight: weight)
    return nil
  }

  /// The stack of names with semicolons between; nil where there is none.
  private mutating func stack(of text: UnsafeRawBufferPointer) -> Int? {
    var stack: Int?
    var start = 0
    while start <= text.count {
      let end = text.place(of: UInt8(ascii: ";"), from: start) ?? text.count
      // Writers leave empty names between two semicolons where a frame has none.
      if end > start { stack = profile.stack(on: stack, frame: frame(text.part(start..<end))) }
      start = end + 1
    }
    return stack
  }

  @inline(__always)
  private mutating func frame(_ name: UnsafeRawBufferPointer) -> Int {
    let string = profile.string(name)
    while frames.count <= string { frames.append(-1) }
    if frames[string] >= 0 { return Int(frames[string]) }
    let frame = profile.frame(profile.function(named: string))
    frames[string] = Int32(truncatingIfNeeded: frame)
    return frame
  }
}
