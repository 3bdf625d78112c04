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
    DetachedThread.run { [self] in
      self.file.file.readToEnd { bytes in
        guard !bytes.isEmpty, note() else { return }
        if let process { kill(process, SIGTERM) }
      }
    }
  }

  /// Takes the time where it is the first.
  private func note() -> Bool {
    let now = SystemClock.monotonicNanoseconds()
    return first.withLock { time in
      guard time == nil else { return false }
      time = now
      return true
    }
  }

  var time: UInt64? { first.withLock { $0 } }
}
