import MPaaSCrashReport
import MPaaSSymbols

extension KeptStack {
  /// Unwinds the stack of the thread again by what the files of the images tell.
  ///
  /// The frames take the place of those that are there unless they are fewer. Return addresses that only lie on the stack
  /// are not taken for frames.
  func complete(_ report: inout CrashReport, unwind: (CrashReport.Image) -> UnwindFile?) {
    guard let thread = report.threads.firstIndex(where: { $0.id == self.thread }) else { return }
    let known = report.threads[thread].frames
    guard let registers = report.threads[thread].registers, !known.contains(where: { $0.kind == .asynchronous }),
      let architecture = report.images.first.flatMap({ UnwindArchitecture.named($0.architecture, isApple: false) })
    else { return }
    let images = report.images
    let files = images.map { $0.path.isEmpty ? nil : unwind($0) }
    guard files.contains(where: { $0 != nil }) else { return }
    let highest = max(images.map { $0.base &+ $0.size }.max() ?? 0, 1 << 47 - 1)
    let walk = StackWalk(
      architecture: architecture, images: ImageTable(images), isWindows: false, memory: load, stack: load,
      rules: { image, address in files[image].flatMap { $0.source.rules(at: address &- $0.slide) } },
      isCode: { _ in true }, pointerMask: UInt64.max >> UInt64(highest.leadingZeroBitCount))
    let start = registers.values.reduce(into: [Int: UInt64]()) { numbered, register in
      if let number = architecture.number(register.name) { numbered[number] = register.value }
    }
    let stack = walk.stack(from: start)
    let certain = stack.frames.prefix { $0.trust != .scan }
    let frames = certain.map { frame in
      CrashReport.Frame(address: walk.address(frame), kind: frame.isInterrupted ? .interrupted : .physical)
    }
    guard frames.count >= known.count else { return }
    report.threads[thread].frames = frames
    if certain.count < stack.frames.count {
      report.threads[thread].cut = .unknown
    } else if stack.isWhole || stack.cut != nil {
      report.threads[thread].cut = stack.cut
    }
  }

  /// A little-endian number in the memory that was kept.
  private func load(_ place: UInt64, _ size: Int) -> UInt64? {
    guard place >= address, let offset = Int(exactly: place - address), bytes.count - size >= offset else { return nil }
    return bytes[offset..<offset + size].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
