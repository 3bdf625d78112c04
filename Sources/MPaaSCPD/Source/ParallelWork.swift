import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Work in equal parts, each on a thread of its own.
enum ParallelWork {
  /// The number of processors that may be used.
  static var processors: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  /// Runs `body` with 0 up to before `count`, and waits for all.
  static func run(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    // Each thread writes a byte when it is done.
    guard count > 1, let pipe = try? OpenPipe() else { return (0..<count).forEach(body) }
    let done = pipe.writing.descriptor
    for index in 1..<count {
      DetachedThread.run {
        body(index)
        var byte: UInt8 = 0
        while write(done, &byte, 1) < 0, errno == EINTR {}
      }
    }
    body(0)
    var byte: UInt8 = 0
    for _ in 1..<count {
      while read(pipe.reading.descriptor, &byte, 1) < 0, errno == EINTR {}
    }
  }
}
