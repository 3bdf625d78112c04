import MPaaSArchive
import MPaaSSupport

/// The unpacking of a kit's tar, whose members all stand in one folder.
struct KitUnpacking {
  let folder: String
  let files: KitFiles

  /// Unpacks files and folders into the folder, without the one that the archive has them in.
  ///
  /// - Throws: `KitUpdateError` `kit-archive-malformed` where a member is neither, or would lead elsewhere; of the disk.
  func run(_ tar: Bytes) throws(KitUpdateError) {
    try make(folder)
    let stream = try reading { () throws(ArchiveError) in try ArchiveStream(tar, .tar) }
    while let member = try reading({ () throws(ArchiveError) in try stream.next() }) {
      let path = folder + "/" + (try Self.path(of: member))
      switch member.kind {
      case .folder: try make(path)
      case .file(let isExecutable):
        let parent = FileSystem.folder(of: path)
        if FileStatus(parent) == nil { try make(parent) }
        let body = try reading { () throws(ArchiveError) in try Self.body(in: stream) }
        do throws(FileError) {
          try files.write(path, body, isExecutable ? 0o755 : 0o644)
        } catch {
          throw KitUpdateError(error)
        }
      default: throw KitUpdateError(.archiveMalformed, ["reason": member.path?.shown ?? "?"])
      }
    }
  }

  private func make(_ path: String) throws(KitUpdateError) {
    do throws(FileError) { try files.makeFolder(path) } catch { throw KitUpdateError(error) }
  }

  private func reading<Value>(_ body: () throws(ArchiveError) -> Value) throws(KitUpdateError) -> Value {
    do throws(ArchiveError) {
      return try body()
    } catch {
      if error.code == .noLibrary { throw KitUpdateError(error.diagnostic(file: folder)) }
      throw KitUpdateError(.archiveMalformed, ["reason": error.reason])
    }
  }

  /// The path below the archive's own folder, which is empty for that itself.
  private static func path(of member: ArchiveMember) throws(KitUpdateError) -> String {
    var text = member.path?.text ?? ".."
    if member.kind == .folder, text.hasSuffix("/") { text.removeLast() }
    guard PortablePath.rule(brokenBy: text) == nil else {
      throw KitUpdateError(.archiveMalformed, ["reason": member.path?.shown ?? "?"])
    }
    return text.split(separator: "/").dropFirst().joined(separator: "/")
  }

  private static func body(in stream: ArchiveStream) throws(ArchiveError) -> Bytes {
    var all: [UInt8] = []
    while true {
      let piece = try stream.piece()
      if piece.isEmpty { return Bytes(all) }
      all += piece
    }
  }
}
