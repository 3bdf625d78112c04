import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#endif

/// The identity of the machine's start: what a process had written before it was killed is whole as long as the machine
/// ran on, and of unknown worth after a loss of power.
enum MachineStart {
  /// A word of this start; empty where the system does not tell.
  static let id: String = {
    #if os(Linux)
      guard let bytes = try? Bytes.reading("/proc/sys/kernel/random/boot_id") else { return "" }
      return String(decoding: bytes.buffer.prefix { $0 != 10 }, as: UTF8.self)
    #else
      var size = 64
      var text = [CChar](repeating: 0, count: size)
      guard sysctlbyname("kern.bootsessionuuid", &text, &size, nil, 0) == 0 else { return "" }
      return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    #endif
  }()
}
