import MPaaSCrash

/// A process whose threads are stopped one by one.
struct StoppedProcess {
  var threads: AttachedThreads
  private var watchedThreads: [Int32: WatchedThread] = [:]
  private var copiers: [Int32: StackCopier] = [:]
  private let main: WatchedThread
  private var knownEpoch: UInt64 = 0
  /// The most threads that have room for a deep stack.
  private static let deepestCount = 128

  init(_ threads: AttachedThreads) {
    self.threads = threads
    main = WatchedThread(threads.process, of: threads.process)
  }

  /// A number that differs when it has become another program.
  var epoch: UInt64 { main.epoch }

  /// Tells, once each time, whether it has become another program.
  mutating func hasBecomeAnother() -> Bool {
    let now = epoch
    defer { knownEpoch = now }
    return now != knownEpoch
  }

  mutating func watched(_ thread: Int32) -> WatchedThread {
    if let known = watchedThreads[thread] { return known }
    let watched = WatchedThread(thread, of: threads.process)
    watchedThreads[thread] = watched
    return watched
  }

  mutating func copier(_ thread: Int32, size: Int) -> StackCopier {
    if let known = copiers[thread] { return known }
    let copier = StackCopier(size: size)
    copiers[thread] = copier
    return copier
  }

  /// Copies the stacks of threads, each of which stands still for that moment only; those that did not stop in time are
  /// missing.
  ///
  /// - Parameters:
  ///   - stopped: Grows by the nanoseconds for which threads stood still.
  ///   - missing: The place where a stack goes on beyond its copy: then that is copied, too.
  mutating func copy(
    _ due: [Int32], size: Int, _ stopped: inout UInt64,
    missing: (StackCopier.Copy, CopiedStack) -> UInt64?
  ) -> [Int32: StackCopier.Copy] {
    let copiers = due.reduce(into: [:]) { $0[$1] = copier($1, size: size) }
    var deep = self.copiers.values.count { $0.isDeep }
    let process = threads.process
    var copies: [Int32: StackCopier.Copy] = [:]
    var time: UInt64 = 0
    threads.stopEach(of: due, milliseconds: 100) { thread in
      let start = SystemClock.monotonicNanoseconds()
      if let copier = copiers[thread], let copy = copier.copy(thread, of: process) {
        copies[thread] = copy
        // A whole stack needs no second look while the thread stands still.
        if copier.mayGoOn, copier.isDeep || deep < Self.deepestCount, let place = missing(copy, copier.stack) {
          if !copier.isDeep { deep += 1 }
          copier.copyRest(from: place, of: process, most: RecordingOptions.deepestStack)
        }
      }
      time &+= SystemClock.monotonicNanoseconds() &- start
    }
    stopped &+= time
    return copies
  }

  /// The processes that its threads have started.
  var children: [Int32] {
    threads.seized.flatMap { thread in
      let text = ProcFile.text("/proc/\(threads.process)/task/\(thread)/children") ?? ""
      return text.split(separator: " ").compactMap { Int32($0) }
    }
  }
}
