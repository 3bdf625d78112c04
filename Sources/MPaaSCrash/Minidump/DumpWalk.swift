import MPaaSCrashReport
import MPaaSSupport
import MPaaSSymbols

/// The state that the walks through the stacks of one dump share: images with what is known of unwinding from them, and
/// memory.
struct DumpWalk {
  private let images: ImageTable
  private let files: [Int: UnwindFile]
  private let isWindows: Bool
  private let memory: MinidumpMemory
  private let mappings: [(range: Range<UInt64>, isCode: Bool)]
  private let pointerMask: UInt64

  /// - Parameters:
  ///   - images: Their slides are set right where the file is found.
  ///   - mappings: Which addresses the dump knows to hold code, or not to, in any order.
  init(
    images: inout [CrashReport.Image], unwind: (CrashReport.Image) -> UnwindFile?, isWindows: Bool,
    memory: MinidumpMemory, mappings: [(range: Range<UInt64>, isCode: Bool)]
  ) {
    var files: [Int: UnwindFile] = [:]
    for index in images.indices where !images[index].path.isEmpty {
      guard let found = unwind(images[index]) else { continue }
      files[index] = found
      images[index].slide = found.slide
    }
    self.images = ImageTable(images)
    self.files = files
    self.isWindows = isWindows
    self.memory = memory
    self.mappings = mappings.sorted { $0.range.lowerBound < $1.range.lowerBound }
    // Apple's systems use 47 bits of a pointer; others more, where images lie higher.
    let highest = max(images.map { $0.base &+ $0.size }.max() ?? 0, 1 << 47 - 1)
    pointerMask = UInt64.max >> UInt64(highest.leadingZeroBitCount)
  }

  /// Sets the frames of a thread, and why they end.
  ///
  /// - Parameter stack: What the dump kept of the thread's stack; else whatever memory the stack pointer is in.
  func fill(_ thread: inout CrashReport.Thread, _ context: MinidumpContext, stack: MinidumpMemory.Range?) {
    let walk = walk(context, stack: stack)
    let found = walk.stack(from: context.numbered)
    thread.cut = found.cut
    thread.frames = found.frames.map { frame in
      var found = CrashReport.Frame(address: walk.address(frame))
      found.kind = frame.isInterrupted ? .interrupted : .physical
      found.image = images.index(of: walk.instruction(frame))
      found.extra["minidump"] = ["trust": .string(frame.trust.rawValue)]
      return found
    }
  }

  private func walk(_ context: MinidumpContext, stack: MinidumpMemory.Range?) -> StackWalk {
    let sp = context.numbered[context.architecture.stackPointer] ?? 0
    let own = stack.flatMap { $0.contains(sp, 1) ? $0 : nil } ?? memory.range(of: sp, size: 1) ?? stack
    let (memory, files, mappings) = (memory, files, mappings)
    return StackWalk(
      architecture: context.architecture, images: images, isWindows: isWindows,
      memory: { memory.load($0, $1) },
      stack: { address, size in
        own.flatMap { MinidumpMemory.load(address, size, in: $0, memory.isBigEndian) }
      },
      rules: { image, address in
        files[image].flatMap { $0.source.rules(at: address &- $0.slide) }
      },
      isCode: { Self.isCode(mappings, $0) ?? true }, pointerMask: pointerMask)
  }

  /// Tells whether the mapping at an address is executable; nil where none is known.
  private static func isCode(_ mappings: [(range: Range<UInt64>, isCode: Bool)], _ address: UInt64) -> Bool? {
    var low = 0
    var high = mappings.count
    while low < high {
      let middle = (low + high) / 2
      if mappings[middle].range.lowerBound <= address { low = middle + 1 } else { high = middle }
    }
    guard low > 0, mappings[low - 1].range.contains(address) else { return nil }
    return mappings[low - 1].isCode
  }
}
