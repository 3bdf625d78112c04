import CPerfEvents
package import MPaaSCrash
import MPaaSSupport

/// A process in numbers, at one moment.
package struct ProcessFigures: Sendable, Equatable {
  package struct Thread: Sendable, Equatable {
    package let id: Int32
    package let name: String
    /// Nanoseconds on processors since it began; nil where the kernel does not tell.
    package let time: UInt64?
  }

  /// Nanoseconds of a clock that only goes forward.
  package let moment: UInt64
  /// Nanoseconds on processors of all threads there ever were.
  package let processorTime: UInt64
  package let memory: MemorySums
  /// Open descriptors; nil where it is not permitted to count them.
  package let descriptors: Int?
  package let threads: [Thread]

  package init(
    moment: UInt64, processorTime: UInt64, memory: MemorySums, descriptors: Int?, threads: [Thread]
  ) {
    self.moment = moment
    self.processorTime = processorTime
    self.memory = memory
    self.descriptors = descriptors
    self.threads = threads
  }

  /// The figures of a process that runs.
  ///
  /// - Throws: `CaptureError`: not there, not permitted, ended.
  package static func live(_ process: Int32) throws(CaptureError) -> ProcessFigures {
    let memory = try MemoryMap.live(process).sums
    guard let status = ProcessStatus(of: process), !status.hasEnded else {
      throw CaptureError(.ended, process: process)
    }
    let threads = ProcessStatus.threads(of: process).map { id in
      let files = WatchedThread(id, of: process)
      return Thread(id: id, name: ProcessStatus.threadName(id, of: process) ?? "", time: files.progress?.nanoseconds)
    }
    return ProcessFigures(
      moment: SystemClock.monotonicNanoseconds(), processorTime: mp_process_time(process), memory: memory,
      descriptors: (try? FileSystem.names(in: "/proc/\(process)/fd"))?.count, threads: threads)
  }
}
