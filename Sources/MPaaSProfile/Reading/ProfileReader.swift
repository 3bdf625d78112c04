import CContentCoding
import MPaaSSupport

extension Profile {
  /// The most bytes that a compressed file may unfold to.
  private static let mostBytes = 1 << 31

  /// Reads a profile of any format that is known, compressed by gzip or not.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - file: Its name in errors; the name of a profile that has none.
  ///   - format: The format; nil to tell it by what the bytes hold.
  /// - Throws: `profile-format-unknown`, `profile-bad-compression`, and the errors of each format: `profile-not-json`,
  ///   `profile-bad-member`, `profile-bad-line`, `profile-bad-message`, `profile-bad-weight`, `profile-too-deep`,
  ///   `profile-unbalanced`, `profile-without-stacks`.
  package init(
    reading bytes: UnsafeRawBufferPointer, file: String, as format: ProfileFormat? = nil
  ) throws(ProfileError) {
    if bytes.count > 2, bytes[0] == 0x1f, bytes[1] == 0x8b {
      let inner = try Self.unfolded(bytes, file: file)
      defer { withExtendedLifetime(inner) {} }
      self = try Self.plain(inner.buffer, file: file, as: format)
    } else {
      self = try Self.plain(bytes, file: file, as: format)
    }
  }

  private static func plain(
    _ bytes: UnsafeRawBufferPointer, file: String, as format: ProfileFormat?
  ) throws(ProfileError) -> Profile {
    switch format ?? ProfileFormat.of(bytes) {
    case .collapsed: try CollapsedReader.profile(bytes, file: file)
    case .speedscope: try SpeedscopeReader.profile(bytes, file: file)
    case .trace: try TraceEventReader.profile(bytes, file: file)
    case .cpuprofile: try CPUProfileReader.profile(bytes, file: file)
    case .pprof: try PprofReader.profile(bytes, file: file)
    case .perfScript: try PerfScriptReader.profile(bytes, file: file)
    case .metricKit: try MetricKitReader.profile(bytes, file: file)
    case nil: throw ProfileError(.unknownFormat, ["file": file], at: .file(file))
    }
  }

  private static func unfolded(_ bytes: UnsafeRawBufferPointer, file: String) throws(ProfileError) -> Bytes {
    var output: UnsafeMutablePointer<UInt8>?
    var count = 0
    let input = bytes.bindMemory(to: UInt8.self)
    guard let base = input.baseAddress,
      mp_coding_decode(MP_CODING_GZIP, base, input.count, mostBytes, &output, &count) == MP_CODING_DONE, let output
    else { throw ProfileError(.badCompression, ["file": file, "limit": "\(mostBytes)"], at: .file(file)) }
    let memory = CodedMemory(output)
    return Bytes(owner: memory, buffer: UnsafeRawBufferPointer(start: output, count: count))
  }
}

/// Memory of the decoder, given back with the last value that holds it.
private final class CodedMemory {
  private let output: UnsafeMutablePointer<UInt8>

  init(_ output: UnsafeMutablePointer<UInt8>) {
    self.output = output
  }

  deinit {
    mp_coding_release(output)
  }
}
