/// The functions that are open on a thread at a time, from which stretches of time with one stack are made.
struct OpenSpans {
  private var stack: Int?
  private(set) var depth = 0
  private var time: Int64?

  /// Goes on to a time, and appends a sample for the time that has passed with functions open.
  ///
  /// - Returns: False for a time that has passed already.
  @inline(__always)
  mutating func advance(to next: Int64, _ hasTimes: Bool, _ thread: inout ProfileThread) -> Bool {
    if let time {
      let (weight, overflow) = next.subtractingReportingOverflow(time)
      guard !overflow, weight >= 0 else { return false }
      if weight > 0, let stack { thread.append(stack: stack, weight: weight, time: hasTimes ? time : nil) }
    }
    time = next
    return true
  }

  /// Opens a function on top of those that are open.
  @inline(__always)
  mutating func open(_ frame: Int, _ profile: inout Profile) {
    stack = profile.stack(on: stack, frame: frame)
    depth += 1
  }

  /// Closes the function on top.
  ///
  /// - Returns: False where it is not the one of this frame.
  @inline(__always)
  mutating func close(_ frame: Int, _ profile: Profile) -> Bool {
    guard let open = stack, profile.stacks.frames[open] == Int32(truncatingIfNeeded: frame) else { return false }
    close(profile)
    return true
  }

  /// Closes the function on top, whichever it is.
  mutating func close(_ profile: Profile) {
    guard let open = stack else { return }
    let prefix = profile.stacks.prefixes[open]
    stack = prefix < 0 ? nil : Int(prefix)
    depth -= 1
  }
}
