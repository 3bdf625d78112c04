import MPaaSArchive
package import MPaaSLogUpload
import MPaaSLogs
import MPaaSProtocol
import MPaaSSupport

/// The file that logs are packed into.
package struct LogPackFile: Sendable {
  package let path: String
  private let format: LogPack.Format

  /// - Parameter replaces: Takes the name of a file that is there, too.
  /// - Throws: `Diagnostic` `log-pack-name` for a name that ends neither in `.zip` nor in `.tar.zst`; `log-pack-exists`.
  package init(_ path: String, replaces: Bool) throws {
    if path.hasSuffix(".tar.zst") {
      format = .tarZstandard
    } else if path.hasSuffix(".zip") {
      format = .zip
    } else {
      throw Diagnostic("log-pack-name", ["path": path], exit: .usage)
    }
    guard replaces || FileStatus(path) == nil else {
      throw Diagnostic("log-pack-exists", ["path": path], at: .file(path), exit: .cannotCreate)
    }
    self.path = path
  }

  /// Packs what a request asks for.
  ///
  /// - Parameter created: Nanoseconds since 1970, by the caller's clock.
  /// - Returns: The manifest, and the bytes of the archive.
  /// - Throws: `LogError` as `LogPack.pack`.
  package func pack(_ request: LogPackRequest, created: Int64) throws -> (manifest: LogPackManifest, size: UInt64) {
    let manifest = try LogPack.pack(request, to: path, format: format, created: created)
    return (manifest, FileStatus(path)?.size ?? 0)
  }
}

extension LogPackRequest {
  /// Takes rules as users write them, `TYPE=wifi` or `TYPE=any`; the last of a type counts.
  ///
  /// - Throws: `Diagnostic` `log-pack-rule`.
  package mutating func add(rules texts: [String]) throws {
    for text in texts {
      let parts = text.split(separator: "=").map(String.init)
      guard parts.count == 2, let network = CollectionTask.Network(rawValue: parts[1]) else {
        throw Diagnostic("log-pack-rule", ["value": text], exit: .usage)
      }
      rules[LogType(rawValue: parts[0])] = network
    }
  }
}
