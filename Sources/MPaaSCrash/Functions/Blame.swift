package import MPaaSCrashReport

extension CrashReport {
  /// The call that a crash is put down to.
  package struct Blame: Sendable, Equatable {
    /// The number of the stack, as `CrashReport[stack:]` counts.
    package let stack: Int
    /// Index into the frames of the stack.
    package let frame: Int
    /// Index into the frame's calls; nil where the frame has none.
    package let callIndex: Int?
    package let call: Call?

    package init(stack: Int, frame: Int, callIndex: Int?, call: Call?) {
      self.stack = stack
      self.frame = frame
      self.callIndex = callIndex
      self.call = call
    }
  }

  /// The innermost call of the stack that tells why which belongs to the program rather than to a runtime.
  ///
  /// Array accessors, allocators, `abort`, exception throwing and the like only find out that something is wrong; the
  /// code that called them made it so. Where the whole stack is system code, the innermost call that is no such
  /// messenger counts, and where there is only that, the innermost of all. Where an exception was thrown, its own
  /// backtrace is the stack; else it is the crashed thread's.
  package var blame: Blame? {
    guard faultingThread != nil || !lastExceptionBacktrace.isEmpty, let stack = decisiveStack else { return nil }
    let frames = self[stack: stack]
    guard let first = frames.first else { return nil }
    let own = search(stack) { frame, call in
      !RuntimeCode.isSystem(frame.image.flatMap { images.indices.contains($0) ? images[$0] : nil }, main: mainImage)
        && !(call.map(RuntimeCode.isRuntime) ?? (frame.image == nil))
    }
    return own ?? search(stack) { _, call in !(call.map(RuntimeCode.isRuntime) ?? true) }
      ?? Blame(stack: stack, frame: 0, callIndex: first.calls.isEmpty ? nil : 0, call: first.calls.first)
  }

  /// The index of the frame that `blame` is in.
  package var blamedFrame: Int? { blame?.frame }

  private func search(_ stack: Int, _ isWanted: (Frame, Call?) -> Bool) -> Blame? {
    for (index, frame) in self[stack: stack].enumerated() {
      if frame.calls.isEmpty, isWanted(frame, nil) {
        return Blame(stack: stack, frame: index, callIndex: nil, call: nil)
      }
      if let call = frame.calls.firstIndex(where: { isWanted(frame, $0) }) {
        return Blame(stack: stack, frame: index, callIndex: call, call: frame.calls[call])
      }
    }
    return nil
  }
}
