import CTrace

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Recognises a signal that the program gets twice: sent to its process group, and forwarded by us once more.
struct SignalEcho {
  private var direct: [Int32: (sender: Int32, time: UInt64)] = [:]

  /// Tells whether a signal that is about to be delivered to the main process came before, from the same sender,
  /// directly.
  ///
  /// The kernel hands a group's signal to the youngest member first, so the direct one comes before the forwarded one.
  mutating func isEcho(_ signal: mt_signal) -> Bool {
    guard signal.code <= 0 else { return false }
    let now = SystemClock.monotonicNanoseconds()
    guard signal.sender == getpid() else {
      direct[signal.signal] = (signal.sender, now)
      return false
    }
    guard let earlier = direct[signal.signal], earlier.sender == mt_forward_sender(signal.signal),
      now &- earlier.time < 1_000_000_000
    else { return false }
    direct[signal.signal] = nil
    return true
  }
}

/// The last words of programs on their standard error, kept by the C side.
final class StandardErrorWords {
  private let words: OpaquePointer
  private var isEnded = false

  /// Nil where the machine refuses, which costs nothing but the words.
  init?() {
    guard let words = mt_words_prepare() else { return nil }
    self.words = words
  }

  deinit {
    mt_words_end(words)
  }

  var pointer: OpaquePointer { words }

  func serve() { mt_words_serve(words) }

  /// The newest bytes that a process wrote, from the first whole line on.
  func text(of process: Int32) -> String? {
    let capacity = Int(mt_words_capacity)
    var bytes = [UInt8](repeating: 0, count: capacity)
    let count = bytes.withUnsafeMutableBytes { target in
      Int(mt_words_copy(words, process, target.baseAddress?.assumingMemoryBound(to: CChar.self)))
    }
    guard count > 0 else { return nil }
    var text = bytes[..<min(count, capacity)]
    if text.count == capacity, let line = text.firstIndex(of: UInt8(ascii: "\n")) {
      text = text[text.index(after: line)...]
    }
    return String(decoding: text, as: UTF8.self)
  }
}

/// The few of the kernel's error numbers that decide how to go on.
package enum KernelError {
  package static let interrupted = EINTR
  package static let noChild = ECHILD
  static let notPermitted = EPERM
  package static let noProcess = ESRCH
}

extension SystemClock {
  package static func sleep(nanoseconds: Int) {
    var time = timespec(tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
    nanosleep(&time, nil)
  }
}
