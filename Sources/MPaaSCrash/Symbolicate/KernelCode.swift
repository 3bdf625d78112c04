import MPaaSCrashReport
import MPaaSSupport
import MPaaSSymbols

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension ImageSymbols {
  /// Symbols of the code that Linux maps into every process (vDSO), from our own process where its build is the same.
  static func ofKernelCode(_ image: CrashReport.Image) -> ImageSymbols {
    guard let own = kernelCode(), let id = BuildID(hex: image.buildID), own.buildID?.isSameBuild(as: id) == true else {
      return ImageSymbols(frames: nil, reason: .notFound, searched: ["[vdso]"])
    }
    let lookup = own.lookup()
    var symbols = ImageSymbols(frames: { lookup.frames(at: $0) }, reason: .noDebugInfo, searched: ["[vdso]"])
    let table = own.callFrames(".eh_frame", .ehFrame)
    symbols.isSignalFrame = { table?.isSignalFrame(at: $0) ?? false }
    return symbols
  }

  /// The vDSO of this process; nil where the kernel maps none.
  private static func kernelCode() -> ELFImage? {
    #if os(Linux)
      guard let maps = try? Bytes.mapping("/proc/self/maps") else { return nil }
      let lines = withExtendedLifetime(maps) { String(utf8: maps.buffer) }.split(separator: "\n")
      guard
        let range = lines.first(where: { $0.hasSuffix("[vdso]") })?.split(separator: " ").first?.split(separator: "-"),
        range.count == 2, let start = UInt(range[0], radix: 16), let end = UInt(range[1], radix: 16), start < end
      else { return nil }
      let memory = UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: start), count: Int(end - start))
      return try? ELFImage(Bytes(memory))
    #else
      return nil
    #endif
  }
}
