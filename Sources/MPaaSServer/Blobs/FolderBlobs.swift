package import Hummingbird
import MPaaSSupport
package import NIOCore

/// Blobs in a folder of this machine, touched on the threads for the disk.
package struct FolderBlobs: BlobStore {
  package let folder: BlobFolder
  package let isNotedFirst = false
  private let disk: DiskWork

  init(_ folder: BlobFolder, _ disk: DiskWork) { (self.folder, self.disk) = (folder, disk) }

  package func store(_ bytes: [UInt8], as sha256: String) async throws {
    _ = try await disk { try folder.store(bytes, as: sha256) }
  }

  package func store(file: String, as sha256: String, size: Int64) async throws {
    _ = try await disk { try folder.link(file, sha256: sha256, size: size) }
  }

  package func size(of sha256: String) async throws -> Int64? { folder.size(of: sha256) }

  package func bytes(of sha256: String) async throws -> [UInt8]? { try await disk { try? folder.bytes(of: sha256) } }

  package func bytes(of sha256: String, _ range: Range<Int64>) async throws -> [UInt8] {
    let path = folder.path(of: sha256)
    return try await disk {
      guard let start = Int(exactly: range.lowerBound), let file = try? OpenFile(path, followsLinks: false) else {
        return []
      }
      return [UInt8](unsafeUninitializedCapacity: range.count) { room, filled in
        filled = file.fill(UnsafeMutableRawBufferPointer(room), at: start)
      }
    }
  }

  package func body(
    of sha256: String, _ range: Range<Int64>, _ turns: Turns, to channel: any Channel
  ) async throws -> ResponseBody {
    let path = folder.path(of: sha256)
    return try await disk { try BlobStream(path) }.body(range, disk, turns, to: channel)
  }

  package func remove(_ sha256: String) async throws { try await disk { try folder.remove(sha256) } }

  /// Writes a file, and takes it away.
  package func check() async throws {
    try await disk {
      let partial = try PartialFile(beside: folder.folder + "/probe")
      try [UInt8(0)].withUnsafeBytes { try partial.append($0) }
    }
  }

  package func usedBytes() async throws -> Int64? {
    try await disk {
      let parts = (try? FileSystem.names(in: folder.folder)) ?? []
      return parts.reduce(0) { sum, part in
        let names = (try? FileSystem.names(in: "\(folder.folder)/\(part)")) ?? []
        return sum
          + names.reduce(0) { $0 + Int64(clamping: FileStatus("\(folder.folder)/\(part)/\($1)")?.size ?? 0) }
      }
    }
  }
}
