import MPaaSArchive
package import MPaaSSupport

/// One entry of a module's archive while it is visited; what is not asked for is not read.
package final class ModuleArchiveEntry {
  package enum Kind: Sendable, Hashable {
    case file(isExecutable: Bool)
    case folder
    /// A symbolic link and where it leads, as the archive has it.
    case link(target: String)
  }

  /// The path inside the archive: parts that are neither empty nor `.` nor `..`, joined by `/`.
  package let path: String
  package let kind: Kind
  /// Bytes, where the archive tells them before the content; 0 for what is no file.
  package let size: UInt64?
  /// Bytes that were read of the content.
  package private(set) var count: UInt64 = 0
  private let source: ArchiveSource
  private var isAtEnd: Bool

  init(path: String, kind: Kind, size: UInt64?, source: ArchiveSource) {
    self.path = path
    self.kind = kind
    self.source = source
    if case .file = kind {
      self.size = size
      isAtEnd = false
    } else {
      self.size = 0
      isAtEnd = true
    }
  }

  package var isFile: Bool {
    if case .file = kind { true } else { false }
  }

  /// Hands over the content piece by piece; the bytes are valid only inside `take`.
  ///
  /// - Throws: `ModuleError`, also that of `take`: damaged, or more than the limits allow.
  package func read(_ take: (UnsafeRawBufferPointer) throws(ModuleError) -> Void) throws(ModuleError) {
    while !isAtEnd {
      let piece = try source.next(of: path)
      isAtEnd = piece.isEmpty
      count += UInt64(piece.count)
      if !isAtEnd { try take(piece) }
    }
    if let size, size != count { throw source.error(.archiveDamaged, path, "\(count) of \(size) bytes") }
  }

  /// The whole content.
  ///
  /// - Parameter limit: More bytes are refused.
  package func body(limit: Int) throws(ModuleError) -> Bytes {
    var content: [UInt8] = []
    try read { (piece) throws(ModuleError) in
      guard content.count + piece.count <= limit else { throw source.error(.archiveTooLarge, path, "\(limit)") }
      content += piece
    }
    return Bytes(content)
  }
}

/// The archive that entries read from, and what may still come out of it.
final class ArchiveSource {
  let name: String
  private let archive: ArchiveStream
  private var budget: UInt64
  private let whole: UInt64

  init(_ bytes: Bytes, name: String, isZip: Bool, budget: UInt64) throws(ModuleError) {
    do throws(ArchiveError) {
      archive = try ArchiveStream(bytes, isZip ? .zip : .tar)
    } catch {
      guard error.code != .noLibrary else {
        throw ModuleError(.archiveNoLibrary, ["file": name, "reason": error.reason], at: .file(name))
      }
      throw ModuleError(.archiveDamaged, ["file": name, "path": "", "reason": "0 B"], at: .file(name))
    }
    self.name = name
    self.budget = budget
    whole = budget
  }

  /// The next member, of whatever kind; nil at the end.
  func member() throws(ArchiveError) -> ArchiveMember? { try archive.next() }

  /// The next piece of the file that the archive is at; empty at its end.
  func next(of path: String) throws(ModuleError) -> UnsafeRawBufferPointer {
    let piece: UnsafeRawBufferPointer
    do throws(ArchiveError) {
      piece = try archive.piece()
    } catch {
      throw self.error(.archiveDamaged, path, error.reason)
    }
    guard UInt64(piece.count) <= budget else { throw tooLarge(path) }
    budget -= UInt64(piece.count)
    return piece
  }

  /// Refuses a file that is larger than what may still come out, before any of it does.
  func announce(_ size: UInt64?, of path: String) throws(ModuleError) {
    if let size, size > budget { throw tooLarge(path) }
  }

  private func tooLarge(_ path: String) -> ModuleError {
    error(.archiveTooLarge, path, ByteCount(whole).description)
  }

  func error(_ code: ModuleError.Code, _ path: String, _ reason: String = "") -> ModuleError {
    ModuleError(code, ["file": name, "path": path, "reason": reason], at: .file(name))
  }
}
