import CPerfEvents
import MPaaSCrash

/// The performance events of a recording.
final class EventRing {
  private let events: OpaquePointer

  private static func wishes(_ options: RecordingOptions, startsAtExec: Bool) -> mp_perf_options {
    mp_perf_options(
      rate: UInt32(clamping: options.rate), stack_size: UInt32(clamping: options.stackSize & ~7), kernel: true,
      follow: options.followsChildren, on_exec: startsAtExec)
  }

  /// Nanoseconds that a sample takes of a program's time, measured now; 0 where it cannot be.
  static func sampleCost(_ options: RecordingOptions) -> UInt64 {
    var wishes = wishes(options, startsAtExec: false)
    return mp_perf_sample_cost(&wishes)
  }

  /// - Throws: `CaptureError` where this system has no events.
  init(_ options: RecordingOptions, startsAtExec: Bool) throws(CaptureError) {
    var wishes = Self.wishes(options, startsAtExec: startsAtExec)
    var made: OpaquePointer?
    let error = mp_perf_open(&wishes, &made)
    guard error == 0, let made else { throw CaptureError(.unsupportedPlatform, system: -error) }
    events = made
  }

  deinit { mp_perf_close(events) }

  /// Tells whether stacks and waits may be sampled here.
  static var isPermitted: Bool { mp_perf_permission() == 2 }

  /// Gets ready to sample a thread; the negated number of the kernel's error, or 0.
  func add(_ thread: Int32) -> Int32 { mp_perf_add(events, thread) }

  func start() { mp_perf_start(events) }

  func stop() { mp_perf_stop(events) }

  func wait(milliseconds: Int32) { mp_perf_wait(events, milliseconds) }

  private final class Visit {
    let body: (UnsafePointer<mp_perf_record>) -> Void

    init(_ body: @escaping (UnsafePointer<mp_perf_record>) -> Void) {
      self.body = body
    }
  }

  /// Hands each record that is there to `body`: those that are no samples, or after them the samples.
  func each(light: Bool, _ body: (UnsafePointer<mp_perf_record>) -> Void) {
    withoutActuallyEscaping(body) { body in
      let visit = Visit(body)
      mp_perf_each(
        events, light,
        { context, record in
          guard let context, let record else { return }
          Unmanaged<Visit>.fromOpaque(context).takeUnretainedValue().body(record)
        }, Unmanaged.passUnretained(visit).toOpaque())
    }
  }
}
