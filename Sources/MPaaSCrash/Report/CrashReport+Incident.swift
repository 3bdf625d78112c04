import MPaaSSupport

extension CrashReport {
  /// A random UUID (RFC 9562, version 4), upper case with dashes.
  static func newIncident() -> String {
    var random = SystemRandomNumberGenerator()
    var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    bytes[6] = bytes[6] & 0x0f | 0x40
    bytes[8] = bytes[8] & 0x3f | 0x80
    return bytes.hexadecimal.uppercased().dashedUUID
  }
}
