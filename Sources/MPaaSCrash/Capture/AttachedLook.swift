import CTrace
package import MPaaSCrashReport

/// A look at a live process from outside, which goes on afterwards as if nothing had been.
package struct AttachedLook: Sendable {
  package let process: Int32

  package init(process: Int32) {
    self.process = process
  }

  /// The stacks of all threads.
  ///
  /// - Throws: `CaptureError`: not there, not permitted, ended meanwhile.
  package func report() throws(CaptureError) -> CrashReport {
    try Self.onThread { () throws(CaptureError) in
      var threads = try AttachedThreads(process: process)
      defer { threads.detach() }
      let late = threads.halt()
      // A thread can start another one before it stops.
      try threads.seizeNew()
      let later = threads.halt()
      guard ProcessStatus(of: process) != nil else { throw CaptureError(.ended, process: process) }
      var capture = ProcessCapture(process: process, origin: .attached)
      for thread in threads.seized.sorted() {
        if late.union(later).contains(thread) { capture.add(running: thread) } else { capture.add(thread: thread) }
      }
      return capture.report
    }
  }

  /// Does work on a thread of its own: what it has seized is let go by the kernel when it ends, whatever happened.
  package static func onThread<Value>(
    _ body: () throws(CaptureError) -> Value
  ) throws(CaptureError) -> Value {
    #if os(Linux)
      var result = Result<Value, CaptureError>.failure(CaptureError(.cannotStart))
      let error = withoutActuallyEscaping(body) { body in
        let work = Work { result = Result { () throws(CaptureError) in try body() } }
        return mt_on_thread(
          { context in
            guard let context else { return }
            Unmanaged<Work>.fromOpaque(context).takeUnretainedValue().body()
          }, Unmanaged.passUnretained(work).toOpaque())
      }
      if error != 0 { throw CaptureError(.cannotStart, system: -error) }
      return try result.get()
    #else
      throw CaptureError(.unsupportedPlatform)
    #endif
  }

  private final class Work {
    let body: () -> Void

    init(_ body: @escaping () -> Void) {
      self.body = body
    }
  }
}
