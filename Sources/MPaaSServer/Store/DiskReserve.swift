import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Room on the disk that is kept for a start with a full disk: the database needs a little even to be read.
struct DiskReserve: Sendable {
  static let size = 1 << 20
  /// Bytes that have to be free before the reserve is made again.
  private static let plenty = 4 << 20

  private let path: String
  private let folders: [String]

  /// - Parameters:
  ///   - folder: Where it stands.
  ///   - database: A file on the disk that must not be full either.
  init(_ folder: String, database: String) {
    path = folder + "/reserve"
    folders = [folder, FileSystem.folder(of: database)]
  }

  /// Tells whether there is room to take something.
  var hasRoom: Bool { free >= (FileStatus(path) == nil ? Self.plenty : Self.size) }

  /// Gives the room to the database where there is no other.
  func give() { if free < Self.size { try? FileSystem.remove(path) } }

  /// Takes the room again once there is plenty.
  func keep() {
    guard FileStatus(path) == nil, free >= Self.plenty else { return }
    do {
      let file = try PartialFile(beside: path)
      try [UInt8](repeating: 0xa5, count: Self.size).withUnsafeBytes { try file.append($0) }
      try file.finish(mode: 0o600)
    } catch {
      // There is no room after all; it is tried again later.
    }
  }

  /// Bytes that are free where the least are; where the system does not tell, there is room.
  private var free: Int {
    folders.map { folder in
      var status = statvfs()
      guard statvfs(folder.isEmpty ? "." : folder, &status) == 0 else { return .max }
      let (bytes, isHuge) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
      return isHuge ? .max : Int(clamping: bytes)
    }.min() ?? .max
  }
}
