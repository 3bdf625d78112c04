import MPaaSCrash
import MPaaSSupport
import MPaaSToolSupport
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The moment of the first byte that a program writes, which a thread of its own waits for.
final class FirstOutput: Sendable {
  private let first = Mutex<UInt64?>(nil)
  private let file: SharedFile

  /// - Parameters:
  ///   - file: The end of the pipe that the program writes to; what comes is read and forgotten.
  ///   - process: The program that is asked to end then; nil to let it go on.
  init(_ file: consuming OpenFile, ends process: Int32?) {
    self.file = SharedFile(file)
    let descriptor = self.file.file.descriptor
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    DetachedThread.run { [self] in
      var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      repeat {
        state.revents = 0
        if poll(&state, 1, -1) < 0, errno != EINTR { return }
      } while take(ends: process)
    }
  }

  /// Takes what is there, and the time where it is the first; false at the end of the pipe.
  @discardableResult
  private func take(ends process: Int32?) -> Bool {
    // Read and noted in one, so that what was read before the end of the program has its time then.
    let (isFirst, goesOn) = first.withLock { time in
      let count = withUnsafeTemporaryAllocation(byteCount: 1 << 14, alignment: 16) {
        read(file.file.descriptor, $0.baseAddress, $0.count)
      }
      let isFirst = count > 0 && time == nil
      if isFirst { time = SystemClock.monotonicNanoseconds() }
      return (isFirst, count > 0 || count < 0 && [EAGAIN, EINTR].contains(errno))
    }
    if isFirst, let process { kill(process, SIGTERM) }
    return goesOn
  }

  /// The time, once the program has ended: what it wrote is in the pipe.
  func finish() -> UInt64? {
    take(ends: nil)
    return first.withLock { $0 }
  }
}
