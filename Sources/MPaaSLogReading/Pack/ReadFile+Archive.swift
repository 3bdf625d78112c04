import MPaaSLogs

extension ReadFile {
  /// Tells whether it begins as an archive does.
  var isArchive: Bool { bytes(0..<min(size, 1 << 16)).withUnsafeBytes { LogPackReader.isArchive($0) } }
}
