import MPaaSSupport
import MPaaSVerification

/// The first root that a repository shows, which is worth nothing until somebody compares its fingerprint.
package struct FirstRoot: Sendable {
  private let mirrors: [String]
  private let userAgent: String
  private let scratch: String

  /// - Parameter scratch: A folder for files that are on their way; made when it is needed.
  package init(mirrors: [String], userAgent: String, scratch: String) {
    self.mirrors = mirrors
    self.userAgent = userAgent
    self.scratch = scratch
  }

  /// - Throws: `ModuleError` `metadata-missing` where no mirror has one, or why none answered.
  package func fetch() throws(ModuleError) -> [UInt8] {
    do throws(FileError) { try Directories.create(scratch) } catch { throw ModuleError(error) }
    return try CatalogLoader.trusted { () throws(TrustError) in
      let fetch = try RepositoryFetch(mirrors: mirrors, scratch: scratch, userAgent: userAgent)
      guard let bytes = try fetch.metadataFile("1.root.json", limit: RepositoryLimits().root) else {
        throw TrustError(.metadataMissing, ["name": "1.root.json"])
      }
      return bytes
    }
  }
}
