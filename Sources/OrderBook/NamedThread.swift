import COrderBook

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A thread with a name that debuggers and crash reports show.
struct NamedThread {
  private final class Work {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }

    func run() {
      ob_name_thread(name)
      body()
    }
  }

  #if canImport(Darwin)
    private var thread: pthread_t?
  #else
    private var thread = pthread_t()
  #endif

  /// Starts the thread.
  ///
  /// - Parameter name: At most 15 bytes, the kernel's limit.
  init(_ name: String, _ body: @escaping @Sendable () -> Void) {
    let work = Unmanaged.passRetained(Work(name: name, body: body))
    #if canImport(Darwin)
      pthread_create(&thread, nil, { Self.start($0) }, work.toOpaque())
    #else
      pthread_create(&thread, nil, { $0.flatMap(Self.start) }, work.toOpaque())
    #endif
  }

  private static func start(_ work: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<Work>.fromOpaque(work).takeRetainedValue().run()
    return nil
  }

  func join() {
    #if canImport(Darwin)
      if let thread { pthread_join(thread, nil) }
    #else
      pthread_join(thread, nil)
    #endif
  }
}
