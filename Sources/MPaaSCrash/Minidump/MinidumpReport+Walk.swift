import MPaaSCrashReport

extension MinidumpReport {
  /// Walks the stack of each thread but the one that wrote the dump.
  mutating func walk(_ unwind: (CrashReport.Image) -> UnwindFile?) {
    let walk = DumpWalk(
      images: &report.images, unwind: unwind, isWindows: system.isWindows,
      memory: MinidumpMemory(ranges + stacks.values, isBigEndian: file.isBigEndian), mappings: mappings)
    for index in report.threads.indices where report.threads[index].id != writingThread {
      guard let context = contexts[index] else { continue }
      walk.fill(&report.threads[index], context, stack: stacks[index])
    }
  }
}
