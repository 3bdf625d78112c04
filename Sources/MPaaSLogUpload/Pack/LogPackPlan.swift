import MPaaSDigests
import MPaaSLogs
import MPaaSProtocol
import MPaaSSupport

/// The content of an archive of logs, file by file, with the digests.
struct LogPackPlan: Sendable {
  /// The bytes of a file in the archive: parts of mapped files.
  struct Content: Sendable {
    var path: String
    var pieces: [Bytes]
  }

  private(set) var manifest: LogPackManifest
  private(set) var contents: [Content] = []

  init(_ request: LogPackRequest, created: Int64) throws(LogError) {
    manifest = LogPackManifest(from: request.from, to: request.to, created: created, network: request.network)
    manifest.app = request.app
    manifest.user = request.user
    manifest.device = request.device
    manifest.task = request.task
    var left = request.sizeLimit ?? .max
    // Archives in a folder are logs that were packed already.
    let files = try LogFiles.files(in: request.sources).filter { $0.isNamed || !LogFiles.isPack($0.path) }
    // The newest first, where there is not room for all.
    for file in files.reversed() {
      let found: LogExcerpt?
      do {
        found = try LogExcerpt(file, from: request.from, to: request.to)
      } catch {
        if request.types.isEmpty || request.types.contains(file.type ?? .diagnostic) {
          leaveOut(file, type: file.type, size: file.size, .unreadable)
        }
        continue
      }
      guard let found, request.types.isEmpty || request.types.contains(found.type) else { continue }
      if request.network == .any, request.rules[found.type] == .wifi {
        leaveOut(file, type: found.type, size: found.size, .network)
        continue
      }
      guard found.size <= left else {
        leaveOut(file, type: found.type, size: found.size, .size)
        continue
      }
      left -= found.size
      add(found, as: file.relativePath)
    }
    contents.reverse()
    manifest.entries.reverse()
  }

  private mutating func add(_ excerpt: LogExcerpt, as path: String) {
    var digest = RunningDigest()
    for piece in excerpt.pieces { digest.update(piece.buffer) }
    var name = path
    var copy = 2
    // Two folders may have files of the same name.
    while contents.contains(where: { $0.path == name }) {
      name = "\(copy)/\(path)"
      copy += 1
    }
    manifest.entries.append(
      LogPackManifest.Entry(
        path: name, type: excerpt.type.rawValue, format: excerpt.format, size: excerpt.size,
        sha256: digest.value.hexadecimal, records: excerpt.records, isWhole: excerpt.isWhole))
    contents.append(Content(path: name, pieces: excerpt.pieces))
  }

  private mutating func leaveOut(
    _ file: LogFiles.File, type: LogType?, size: UInt64, _ reason: LogPackManifest.LeftOut.Reason
  ) {
    manifest.leftOut.append(
      LogPackManifest.LeftOut(
        path: file.relativePath, type: (type ?? .diagnostic).rawValue, size: size, reason: reason))
  }

  /// The manifest as JSON.
  var manifestBytes: Bytes {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
    // Encoding of numbers and texts cannot fail.
    return Bytes((try? encoder.encode(manifest)) ?? Data())
  }
}

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
