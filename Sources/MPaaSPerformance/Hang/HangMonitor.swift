import CPerformance
import CrashReporter
public import Dispatch
import MPaaSBase
import MPaaSLock

/// Finds out when a queue or thread does not answer, and what it does meanwhile.
///
/// Start it behind the crash reporter, which turns the records of severe hangs into reports at the next start:
///
///     try CrashReporter.install()
///     let monitor = HangMonitor(thresholds: .init(micro: 0.1, hang: 0.25, severe: 0.5, fatal: 2))
///     try monitor.start { hang in log.warning("\(hang)") }
///
/// A thread of its own looks every 32 ms, every 38 ms once nothing has stirred for ten seconds, and every 25 ms during a
/// hang, when it takes the stack of the thread several times. Time in which the process was stopped, frozen or in a
/// debugger's hands, or the machine slept, does not count; the wall clock plays no part. Hangs can be watched on Linux;
/// elsewhere `start` says that they cannot, and MetricKit's diagnostics tell of them.
public final class HangMonitor: Sendable {
  /// The durations from which a hang counts.
  public struct Thresholds: Sendable, Hashable {
    /// The shortest that is told of.
    public var micro: TimeSpan
    /// One that users notice.
    public var hang: TimeSpan
    /// One that a record is kept of.
    public var severe: TimeSpan
    /// One that systems end programs for.
    public var fatal: TimeSpan

    /// Creates limits in seconds; each is at least as long as the one before, and the first at least 50 ms.
    public init(micro: Double = 0.1, hang: Double = 0.25, severe: Double = 0.5, fatal: Double = 2) {
      self.micro = max(.seconds(micro), .milliseconds(50))
      self.hang = max(.seconds(hang), self.micro)
      self.severe = max(.seconds(severe), self.hang)
      self.fatal = max(.seconds(fatal), self.severe)
    }
  }

  /// The limits that the monitor was made with.
  public let thresholds: Thresholds
  private let directory: String?
  private let watchesMainQueue: Bool

  /// Makes a monitor; nothing is watched before it is started.
  ///
  /// - Parameters:
  ///   - thresholds: The durations from which a hang counts.
  ///   - directory: The folder of records; nil for the crash reporter's.
  ///   - watchesMainQueue: Tells whether the main queue is watched, and with it the main run loop.
  public init(thresholds: Thresholds = Thresholds(), directory: String? = nil, watchesMainQueue: Bool = true) {
    self.thresholds = thresholds
    self.directory = directory
    self.watchesMainQueue = watchesMainQueue
  }

  /// Begins to watch.
  ///
  /// - Parameter told: Called with each hang that is over, on the thread that watches: hand on what takes long.
  /// - Throws: `StartError` where a monitor watches already, the folder cannot be used, or there are no means here.
  public func start(told: (@Sendable (Hang) -> Void)? = nil) throws(StartError) {
    let folder = directory ?? CrashReporter.folder
    do {
      try Directories.create(folder)
    } catch {
      throw StartError(.directory, directory: folder, systemError: error.code.rawValue)
    }
    Self.told.withLock { $0 = told }
    let status = folder.withCString { path in
      var settings = mp_hang_settings()
      settings.directory = path
      settings.micro = UInt64(thresholds.micro.nanoseconds)
      settings.hang = UInt64(thresholds.hang.nanoseconds)
      settings.severe = UInt64(thresholds.severe.nanoseconds)
      settings.fatal = UInt64(thresholds.fatal.nanoseconds)
      settings.ended = { _, hang in
        guard let hang, let told = HangMonitor.told.withLock({ $0 }) else { return }
        told(Hang(hang.pointee))
      }
      return mp_hang_start(&settings)
    }
    if status != 0 { throw StartError(status, directory: folder) }
    if watchesMainQueue { watch(.main, named: "main queue", state: mp_hang_main_queue()) }
  }

  private static let told = Lock<(@Sendable (Hang) -> Void)?>(nil)

  /// Ends the watch, and waits for the thread that did it; a hang that is under way counts until now.
  public func stop() { mp_hang_stop() }

  /// Stops looking, for the time that the app is in the background: nothing wakes up for it.
  public func pause() { mp_hang_pause(true) }

  /// Looks again.
  public func resume() { mp_hang_pause(false) }

  /// Watches a serial queue.
  ///
  /// - Parameters:
  ///   - queue: A serial queue; a concurrent one answers whatever hangs in it.
  ///   - name: The name in reports.
  /// - Returns: False where eight are watched already.
  @discardableResult
  public func watch(_ queue: DispatchQueue, named name: String) -> Bool {
    watch(queue, named: name, state: nil)
  }

  @discardableResult
  private func watch(_ queue: DispatchQueue, named name: String, state: UnsafeRawPointer?) -> Bool {
    // The question may come as long as the process lives.
    let context = Unmanaged.passRetained(Asked(queue: queue)).toOpaque()
    let number = mp_hang_watch_queue(
      name,
      { context, watch in
        guard let context else { return }
        Unmanaged<Asked>.fromOpaque(context).takeUnretainedValue().queue.async { mp_hang_answer(watch) }
      }, context, state)
    return number >= 0
  }

  private final class Asked: Sendable {
    let queue: DispatchQueue

    init(queue: DispatchQueue) { self.queue = queue }
  }

  /// Watches the calling thread, which says itself when it works.
  ///
  /// - Returns: The watch to tell it to; nil where eight are there already, or hangs cannot be watched.
  public func watchCurrentThread(named name: String) -> WatchedThread? {
    let number = mp_hang_watch_thread(name)
    return number < 0 ? nil : WatchedThread(number: number)
  }
}

/// A thread that tells the hang monitor when it begins with a piece of work and when it is through.
///
///     let watch = monitor.watchCurrentThread(named: "renderer")
///     while let frame = next() { watch?.work { draw(frame) } }
///
/// It is used on the thread that it was made on. While it says that it does nothing it is never taken for hung.
public struct WatchedThread: ~Copyable {
  private let number: Int32

  init(number: Int32) { self.number = number }

  deinit { mp_hang_unwatch(number) }

  /// Begins with a piece of work.
  public func begin() { mp_hang_begin(number) }

  /// Is through with it.
  public func done() { mp_hang_done(number) }

  /// Does a piece of work.
  public func work<Result, Failure: Error>(_ work: () throws(Failure) -> Result) throws(Failure) -> Result {
    mp_hang_begin(number)
    defer { mp_hang_done(number) }
    return try work()
  }
}
