import MPaaSBase

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The machine and system that the app runs on.
public struct SystemInfo: Sendable, Hashable {
  /// The name of the kernel's family: `Linux`, `Darwin`.
  public let system: String
  /// The version of the kernel.
  public let kernel: String
  /// `x86_64`, `arm64`, or the model of a device, `iPhone14,2`.
  public let machine: String
  /// The processors that are in use.
  public let processors: Int
  /// Bytes.
  public let memory: UInt64
  /// The bytes of a page of memory.
  public let pageSize: Int

  /// The facts of this machine.
  public static let current = SystemInfo()

  private init() {
    var names = utsname()
    uname(&names)
    func text(_ field: some Any) -> String {
      withUnsafeBytes(of: field) { String(utf8: UnsafeRawBufferPointer(rebasing: $0.prefix { $0 != 0 })) }
    }
    system = text(names.sysname)
    kernel = text(names.release)
    machine = text(names.machine)
    processors = max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 1)
    pageSize = max(Int(sysconf(Int32(_SC_PAGESIZE))), 1)
    #if canImport(Darwin)
      var bytes: UInt64 = 0
      var size = MemoryLayout<UInt64>.size
      memory = sysctlbyname("hw.memsize", &bytes, &size, nil, 0) == 0 ? bytes : 0
    #else
      memory = UInt64(max(sysconf(Int32(_SC_PHYS_PAGES)), 0)) &* UInt64(pageSize)
    #endif
  }

  /// The time that the machine has run, without that which it slept.
  public static var awake: TimeSpan { .awake }
}
