import CContentCoding
import MPaaSSupport

/// The formats that profiles are written in.
package enum ProfileOutput: String, Sendable, CaseIterable {
  case speedscope, firefox, pprof, chrome, perfetto, collapsed

  /// The format that the end of a file's name tells; pprof where it tells none, since it keeps all of a profile.
  package init(path: String) {
    let ends: [(String, ProfileOutput)] = [
      (".perfetto-trace", .perfetto), (".pftrace", .perfetto), (".collapsed", .collapsed), (".folded", .collapsed),
      (".txt", .collapsed), (".trace.json", .chrome), (".firefox.json", .firefox), (".json", .speedscope),
    ]
    self = ends.first { path.hasSuffix($0.0) }?.1 ?? .pprof
  }

  /// The file of a profile; pprof's is compressed.
  ///
  /// - Throws: `profile-too-large`, `profile-bad-weight` where the format cannot have the weights.
  package func bytes(_ profile: Profile) throws(ProfileError) -> [UInt8] {
    switch self {
    case .speedscope: try SpeedscopeWriter.bytes(profile)
    case .firefox: FirefoxWriter.bytes(profile)
    case .pprof: try Self.folded(PprofWriter.bytes(profile))
    case .chrome: try ChromeWriter.bytes(profile)
    case .perfetto: try PerfettoWriter.bytes(profile)
    case .collapsed: try CollapsedWriter.bytes(profile)
    }
  }

  /// True of formats that a screen cannot show.
  package var isBinary: Bool { self == .pprof || self == .perfetto }

  private static func folded(_ bytes: [UInt8]) throws(ProfileError) -> [UInt8] {
    var output: UnsafeMutablePointer<UInt8>?
    var count = 0
    let outcome = bytes.withUnsafeBufferPointer { bytes -> mp_coding_outcome in
      guard let base = bytes.baseAddress else { return MP_CODING_DAMAGED }
      return mp_coding_encode(MP_CODING_GZIP, base, bytes.count, &output, &count)
    }
    guard outcome == MP_CODING_DONE, let output else { throw ProfileError(.tooLarge, ["format": "pprof"]) }
    defer { mp_coding_release(output) }
    return Array(UnsafeBufferPointer(start: output, count: count))
  }
}
