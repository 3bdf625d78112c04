import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The ID that stands for a device where no user is signed in: made once, and kept on the disk.
enum FlagSessionID {
  /// Reads the ID, or makes one where there is none or it is damaged.
  ///
  /// - Parameter report: Gets the reason why a new one cannot be kept; it lasts as long as the client then.
  static func reading(_ folder: String, _ report: (AppServiceError) -> Void) -> String {
    let path = folder + "/session"
    if let bytes = try? Bytes.reading(path, limit: 64), let id = id(bytes.array) { return id }
    let new = UUID().uuidString.lowercased()
    do throws(FileError) {
      try PrivateFolder.create(folder)
      try Bytes(Array(new.utf8)).write(to: path, mode: 0o600)
    } catch { report(AppServiceError(error)) }
    return new
  }

  private static func id(_ bytes: [UInt8]) -> String? {
    UUID(uuidString: String(decoding: bytes, as: UTF8.self))?.uuidString.lowercased()
  }
}
