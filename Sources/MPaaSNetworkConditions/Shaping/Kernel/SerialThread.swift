import MPaaSSupport
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A thread that does one job after another: what a network namespace belongs to, and what a child is tied to.
package final class SerialThread: Sendable {
  private typealias Job = @Sendable () -> Void

  /// The state that the thread and its owner share; the thread outlives the owner until it sees the end.
  private final class Queue: Sendable {
    /// nil ends the thread.
    let jobs = Mutex<[Job?]>([])
    let pipe: OpenPipe

    init(_ pipe: consuming OpenPipe) { self.pipe = pipe }

    func add(_ job: Job?) {
      jobs.withLock { $0.append(job) }
      _ = write(pipe.writing.descriptor, "", 1)
    }

    func work() {
      var byte: UInt8 = 0
      while true {
        let count = read(pipe.reading.descriptor, &byte, 1)
        if count < 0, errno == EINTR { continue }
        guard count == 1, let job = jobs.withLock({ $0.removeFirst() }) else { return }
        job()
      }
    }
  }

  private let queue: Queue

  package init() throws(NetworkError) {
    do throws(FileError) {
      queue = Queue(try OpenPipe())
    } catch {
      throw .tunnel("pipe", errno: error.code.rawValue)
    }
    let context = Unmanaged.passRetained(queue).toOpaque()
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let failure = pthread_create(
      &thread, nil,
      { context in
        #if canImport(Darwin)
          let queue = Unmanaged<Queue>.fromOpaque(context).takeRetainedValue()
        #else
          guard let context else { return nil }
          let queue = Unmanaged<Queue>.fromOpaque(context).takeRetainedValue()
        #endif
        queue.work()
        return nil
      }, context)
    guard failure == 0 else {
      Unmanaged<Queue>.fromOpaque(context).release()
      throw .tunnel("pthread_create", errno: failure)
    }
    #if canImport(Darwin)
      if let thread { pthread_detach(thread) }
    #else
      pthread_detach(thread)
    #endif
  }

  deinit { queue.add(nil) }

  /// Does a job after those before it.
  package func perform<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      queue.add { continuation.resume(returning: body()) }
    }
  }

  /// Does a job that may fail.
  package func attempt<Value: Sendable>(
    _ body: @escaping @Sendable () throws(NetworkError) -> Value
  ) async throws(NetworkError) -> Value {
    let result = await perform { () -> Result<Value, NetworkError> in
      do throws(NetworkError) {
        return .success(try body())
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}
