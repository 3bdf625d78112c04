import MPaaSSupport
import MPaaSSymbols

extension MinidumpReport {
  /// Walks the stack of each thread but the one that wrote the dump.
  mutating func walk(_ unwind: (CrashReport.Image) -> UnwindFile?) {
    let memory = MinidumpMemory(ranges + stacks.values, isBigEndian: file.isBigEndian)
    mappings.sort { $0.range.lowerBound < $1.range.lowerBound }
    let images = ImageTable(report.images)
    var files: [Int: UnwindFile?] = [:]
    for index in report.images.indices where !report.images[index].path.isEmpty {
      guard let found = unwind(report.images[index]) else { continue }
      files[index] = found
      report.images[index].slide = found.slide
    }
    for index in report.threads.indices where report.threads[index].id != writingThread {
      guard let context = contexts[index] else { continue }
      let walk = stackWalk(context, index, images, memory) { image, address in
        guard let file = files[image] ?? nil else { return nil }
        return file.source.rules(at: address &- file.slide)
      }
      report.threads[index].frames = walk.frames(from: context.numbered).map { frame in
        var found = CrashReport.Frame(address: walk.address(frame))
        found.kind = frame.isInterrupted ? .interrupted : .physical
        let isReturn = frame.trust != .context && !frame.isInterrupted
        found.image = images.index(of: isReturn ? found.address &- 1 : found.address)
        found.extra["minidump"] = ["trust": .string(frame.trust.rawValue)]
        return found
      }
    }
  }

  private func stackWalk(
    _ context: MinidumpContext, _ index: Int, _ images: ImageTable, _ memory: MinidumpMemory,
    rules: @escaping (Int, UInt64) -> UnwindRules?
  ) -> StackWalk {
    let sp = context.numbered[context.architecture.stackPointer] ?? 0
    // The stack that the dump kept for the thread, else whatever memory the stack pointer is in.
    let own = stacks[index].flatMap { $0.contains(sp, 1) ? $0 : nil } ?? memory.range(of: sp, size: 1) ?? stacks[index]
    let isBigEndian = file.isBigEndian
    let mappings = mappings
    let highest = report.images.map { $0.base &+ $0.size }.max() ?? 0
    return StackWalk(
      architecture: context.architecture, images: images, isWindows: system.isWindows,
      memory: { memory.load($0, $1) },
      stack: { address, size in own.flatMap { MinidumpMemory.load(address, size, in: $0, isBigEndian) } },
      rules: rules,
      isCode: { address in
        Self.mapping(mappings, address) ?? true
      },
      pointerMask: Self.mask(max(highest, 1 << 47 - 1)))
  }

  /// Whether the mapping at an address is executable; nil where none is known.
  private static func mapping(_ mappings: [(range: Range<UInt64>, isCode: Bool)], _ address: UInt64) -> Bool? {
    var low = 0
    var high = mappings.count
    while low < high {
      let middle = (low + high) / 2
      if mappings[middle].range.lowerBound <= address { low = middle + 1 } else { high = middle }
    }
    guard low > 0, mappings[low - 1].range.contains(address) else { return nil }
    return mappings[low - 1].isCode
  }

  /// All bits up to the highest of a number.
  private static func mask(_ value: UInt64) -> UInt64 {
    value == 0 ? 0 : UInt64.max >> UInt64(value.leadingZeroBitCount)
  }
}
