import MPaaSSupport

/// Documents on the disk.
enum DAOFile {
  /// The bytes of a document.
  ///
  /// - Throws: `dao-xml` where it cannot be read, or is larger than a document may be.
  static func bytes(_ file: String) throws(DAOError) -> [UInt8] {
    do {
      return try FileClient.live.read(file)
    } catch {
      throw DAOError(.xml, ["reason": error.diagnostic.id.name], in: file)
    }
  }
}
