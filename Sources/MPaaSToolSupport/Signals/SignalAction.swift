#if canImport(Darwin)
  package import Darwin
#elseif canImport(Glibc)
  package import Glibc
#elseif canImport(Musl)
  package import Musl
#endif

/// The function that a signal calls, with what is known of the signal and of the place that it interrupted.
package typealias SignalHandler =
  @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void

extension sigaction {
  /// Makes an action that calls a function, which may only make calls that are safe in a signal handler.
  package init(_ handler: SignalHandler, flags: Int32 = 0) {
    self.init()
    #if canImport(Darwin)
      __sigaction_u.__sa_sigaction = handler
    #elseif canImport(Glibc)
      __sigaction_handler.sa_sigaction = handler
    #else
      __sa_handler.sa_sigaction = handler
    #endif
    sa_flags = SA_SIGINFO | flags
  }

  /// The address of the function that is called; 0 and 1 mean the default and nothing.
  ///
  /// A signal handler may ask for it.
  package var address: Int {
    #if canImport(Darwin)
      unsafeBitCast(__sigaction_u.__sa_handler, to: Int.self)
    #elseif canImport(Glibc)
      unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self)
    #else
      unsafeBitCast(__sa_handler.sa_handler, to: Int.self)
    #endif
  }

  package var isDefault: Bool { address == 0 }
  package var isIgnored: Bool { address == 1 }
}
