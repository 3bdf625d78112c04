extension CrashReport {
  /// The call that a crash is put down to.
  package struct Blame: Sendable, Equatable {
    /// Index into the frames of the crashed thread.
    package let frame: Int
    /// Index into the frame's calls; nil where the frame has none.
    package let callIndex: Int?
    package let call: Call?

    package init(frame: Int, callIndex: Int?, call: Call?) {
      self.frame = frame
      self.callIndex = callIndex
      self.call = call
    }
  }

  /// The innermost call of the crashed thread that belongs to the program rather than to a runtime.
  ///
  /// Array accessors, allocators, `abort`, exception throwing and the like only find out that something is wrong; the
  /// code that called them made it so. Where the whole stack is system code, the innermost call that is no such
  /// messenger counts, and where there is only that, the innermost of all.
  package var blame: Blame? {
    guard let faultingThread, threads.indices.contains(faultingThread) else { return nil }
    let frames = threads[faultingThread].frames
    guard let first = frames.first else { return nil }
    let own = search(frames) { frame, call in
      !RuntimeCode.isSystem(frame.image.flatMap { images.indices.contains($0) ? images[$0] : nil }, main: mainImage)
        && !(call.map(RuntimeCode.isRuntime) ?? (frame.image == nil))
    }
    return own ?? search(frames) { _, call in !(call.map(RuntimeCode.isRuntime) ?? true) }
      ?? Blame(frame: 0, callIndex: first.calls.isEmpty ? nil : 0, call: first.calls.first)
  }

  /// The index in the crashed thread of the frame that `blame` is in.
  package var blamedFrame: Int? { blame?.frame }

  private func search(_ frames: [Frame], _ isWanted: (Frame, Call?) -> Bool) -> Blame? {
    for (index, frame) in frames.enumerated() {
      if frame.calls.isEmpty, isWanted(frame, nil) { return Blame(frame: index, callIndex: nil, call: nil) }
      if let call = frame.calls.firstIndex(where: { isWanted(frame, $0) }) {
        return Blame(frame: index, callIndex: call, call: frame.calls[call])
      }
    }
    return nil
  }
}
