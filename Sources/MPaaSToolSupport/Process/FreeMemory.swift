#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Memory that was freed and that the allocator still keeps.
package enum FreeMemory {
  /// Gives it back to the system: after a burst an allocator keeps what it took, for the next one.
  ///
  /// It takes a few milliseconds for each 100 MB, and is for moments in which nothing else is done.
  package static func giveBack() {
    #if canImport(Darwin)
      malloc_zone_pressure_relief(nil, 0)
    #else
      _ = trim?(0)
    #endif
  }

  #if !canImport(Darwin)
    /// The function that glibc calls `malloc_trim`; its header is not in the module, and other C libraries have none.
    private static let trim: (@convention(c) (Int) -> Int32)? = {
      guard let symbol = dlsym(nil, "malloc_trim") else { return nil }
      return unsafeBitCast(symbol, to: (@convention(c) (Int) -> Int32).self)
    }()
  #endif
}
