import Foundation
import MPaaSArchive
import MPaaSSupport

/// Writes the files of a zip into a folder.
///
/// - Returns: Their paths in the zip's order.
@discardableResult
package func unpack(_ archive: [UInt8], into folder: String) throws -> [String] {
  let stream = try ArchiveStream(Bytes(archive), .zip)
  var paths: [String] = []
  while let member = try stream.nextFile() {
    let path = member.path?.shown ?? ""
    var content = Data()
    while case let piece = try stream.piece(), !piece.isEmpty { content.append(contentsOf: piece) }
    let file = URL(filePath: folder + "/" + path)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try content.write(to: file)
    paths.append(path)
  }
  return paths
}
