import MPaaSLogs

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension LeftSegment {
  /// The keystream that encrypted the records; empty where they are plain, nil where no key opens it.
  func keystream(_ keys: LogKeys) -> Data? {
    guard !wrappedKey.isEmpty else { return Data() }
    return keys.secret(wrappedKey)?.keystream(generation, size: bytes.count)
  }
}

extension LogBlockBuffer {
  /// Takes the records of a segment; false where no key opens it.
  func fill(_ segment: LeftSegment, _ type: LogType, keys: LogKeys) -> Bool {
    guard let keystream = segment.keystream(keys) else { return false }
    begin(type, boot: segment.boot)
    keystream.withUnsafeBytes { keystream in
      segment.bytes.withUnsafeBytes {
        fillStaged($0, generation: segment.generation, keystream: keystream.isEmpty ? nil : keystream)
      }
    }
    return true
  }
}
