import MPaaSLock

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Files that somebody else makes shorter while we have them mapped.
///
/// The system answers a read behind the new end with SIGBUS, which would end the process in the middle of its work.
package enum ShortenedFiles {
  /// `BUS_ADRERR`, the same number on all systems: there is nothing behind an address that is mapped.
  private static let nothingBehind: Int32 = 2
  private static let isHandled = AtomicFlag(false)

  /// Tells whether what is gone reads as zeros in this process, so that a mapped file may be cut short.
  package static var areReadAsZeros: Bool { isHandled.load() }

  /// From now on what is gone reads as zeros, which checksums and readers take for the damage that it is.
  ///
  /// For programs of our own only: it changes what a signal means to the whole process.
  package static func readAsZeros() {
    let handler: SignalHandler = { number, information, _ in
      // Only calls that a signal handler may make.
      guard let information, information.pointee.si_code == ShortenedFiles.nothingBehind,
        let place = ShortenedFiles.page(of: information.pointee),
        mmap(place, Int(getpagesize()), PROT_READ, MAP_PRIVATE | MAP_ANON | MAP_FIXED, -1, 0) != MAP_FAILED
      else {
        // The read is made again, and ends the process as it would have; a signal that was sent is not met again.
        signal(number, SIG_DFL)
        if information.map({ $0.pointee.si_code <= 0 }) ?? true { raise(number) }
        return
      }
    }
    var action = sigaction(handler)
    if sigaction(SIGBUS, &action, nil) == 0 { isHandled.store(true) }
  }

  /// The page that was read.
  private static func page(of information: siginfo_t) -> UnsafeMutableRawPointer? {
    #if canImport(Darwin)
      let address = information.si_addr
    #elseif canImport(Glibc)
      let address = information._sifields._sigfault.si_addr
    #else
      let address = information.__si_fields.__sigfault.si_addr
    #endif
    return UnsafeMutableRawPointer(bitPattern: UInt(bitPattern: address) & ~UInt(getpagesize() - 1))
  }
}
