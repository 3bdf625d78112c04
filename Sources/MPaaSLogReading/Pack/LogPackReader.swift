import MPaaSArchive
import MPaaSDigests
import MPaaSLogUpload
import MPaaSLogs
import MPaaSSupport
import MPaaSToolSupport

/// Unpacks an archive of logs, by libarchive, within limits.
struct LogPackReader {
  /// A file of the archive, and where its bytes stand now.
  struct Found {
    let path: String
    let range: Range<Int>
    let digest: String
  }

  private(set) var manifest: LogPackManifest?
  private(set) var found: [Found] = []
  private(set) var faults: [LogError] = []
  let room: UnnamedFile
  private let bytes: Bytes
  private let path: String
  private let limits: LogPackLimits
  private var left: UInt64
  private var end = 0
  private var names = Set<String>()
  /// Tells whether the last file could not be read to its end.
  private var isTorn = false
  /// Tells whether the archive's end is where it says.
  private var isWhole = true

  init(_ bytes: Bytes, path: String, temporary: TemporaryPlace, _ limits: LogPackLimits) throws(LogError) {
    self.bytes = bytes
    self.path = path
    self.limits = limits
    left = limits.budget(archiveSize: bytes.count)
    do throws(FileError) { room = try UnnamedFile(in: temporary) } catch { throw LogError(error) }
  }

  /// The time at which the archive was written, in seconds since 1970.
  var modified: Int64 { FileStatus(path)?.modified ?? 0 }

  /// Unpacks all.
  ///
  /// - Returns: false where it was not asked for and there is no manifest at its front.
  mutating func run(isNamed: Bool) throws(LogError) -> Bool {
    let isZip = ArchiveForm(bytes.buffer) == .zip
    let archive: ArchiveStream
    do throws(ArchiveError) {
      archive = try ArchiveStream(bytes, isZip ? .zip : .tar)
    } catch {
      throw unreadable(error.reason.isEmpty ? "libarchive" : error.reason)
    }
    while let member = next(archive) {
      guard member.kind != .folder else { continue }
      guard names.count < limits.entries else {
        throw LogError(.packTooLarge, ["path": path, "limit": "\(limits.entries)"], at: .file(path))
      }
      guard let name = name(member), names.insert(name).inserted else {
        faults.append(LogError(.packFileUnlisted, ["path": path, "file": Self.shown(member)], at: .file(path)))
        continue
      }
      guard !member.isEncrypted else {
        faults.append(unreadable(name))
        continue
      }
      if name == LogPackManifest.name {
        try readManifest(archive)
      } else {
        guard isNamed || manifest != nil else { return false }
        try unpack(name, archive)
      }
    }
    if isZip, isWhole, !hasEnd { faults.append(unreadable("end of central directory")) }
    return true
  }

  /// The next member; nil at the end and behind damage.
  private mutating func next(_ archive: ArchiveStream) -> ArchiveMember? {
    do throws(ArchiveError) {
      return try archive.next()
    } catch {
      isWhole = false
      // An end within a file that was told already is no second fault.
      if !isTorn { faults.append(unreadable(error.reason)) }
      return nil
    }
  }

  /// The name of a regular file: characters that can be shown, no way out of the archive.
  private func name(_ member: ArchiveMember) -> String? {
    guard member.isFile, var name = member.path?.text else { return nil }
    while name.hasPrefix("./") { name.removeFirst(2) }
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard name.utf8.count <= limits.path, !parts.contains(""), !parts.contains(".."),
      !name.unicodeScalars.contains(where: Self.isControl)
    else { return nil }
    return name
  }

  /// A name that is none, as it can be shown.
  private static func shown(_ member: ArchiveMember) -> String {
    let raw = member.path?.shown ?? ""
    return String(String.UnicodeScalarView(raw.unicodeScalars.prefix(200).map { isControl($0) ? "?" : $0 }))
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.value < 0x20 || scalar.value == 0x7f }

  private mutating func readManifest(_ archive: ArchiveStream) throws(LogError) {
    var json: [UInt8] = []
    do throws(ArchiveError) {
      while case let piece = try archive.piece(), !piece.isEmpty, json.count <= limits.manifest { json += piece }
    } catch {
      throw unreadable("\(LogPackManifest.name): \(error.reason)")
    }
    guard json.count <= limits.manifest else { throw tooLarge(UInt64(limits.manifest)) }
    do {
      manifest = try JSONDecoder().decode(LogPackManifest.self, from: Data(json))
    } catch {
      throw unreadable(LogPackManifest.name)
    }
    guard manifest?.version == 1 else { throw unreadable("\(LogPackManifest.name): version") }
  }

  private mutating func unpack(_ name: String, _ archive: ArchiveStream) throws(LogError) {
    var digest = RunningDigest()
    let start = end
    while case let piece = piece(of: name, archive), !piece.isEmpty {
      guard UInt64(piece.count) <= left else { throw tooLarge(limits.budget(archiveSize: bytes.count)) }
      left -= UInt64(piece.count)
      digest.update(piece)
      try write(piece)
      // Pages of the archive that were read count for memory as long as they are mapped.
      if end >> 24 != (end - piece.count) >> 24 { bytes.release(bytes.count) }
    }
    found.append(Found(path: name, range: start..<end, digest: digest.value.hexadecimal))
    // Each begins at a page of its own.
    let zeros = Bytes([UInt8](repeating: 0, count: -end & 0xfff))
    defer { withExtendedLifetime(zeros) {} }
    try write(zeros.buffer)
  }

  /// The next piece of a file; empty at its end and where it cannot be read on.
  private mutating func piece(of name: String, _ archive: ArchiveStream) -> UnsafeRawBufferPointer {
    do throws(ArchiveError) {
      isTorn = false
      return try archive.piece()
    } catch {
      isTorn = true
      faults.append(unreadable("\(name): \(error.reason)"))
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
  }

  private mutating func write(_ piece: UnsafeRawBufferPointer) throws(LogError) {
    do throws(FileError) { try room.append(piece) } catch { throw LogError(error) }
    end += piece.count
  }

  /// Tells whether the record stands at the end of a zip that says so; what was cut short has none.
  private var hasEnd: Bool {
    let tail = UnsafeRawBufferPointer(rebasing: bytes.buffer.suffix(22 + 0xffff))
    var place = tail.count - 22
    while place >= 0 {
      let record = UnsafeRawBufferPointer(rebasing: tail[place...])
      let comment = Int(record[20]) | Int(record[21]) << 8
      if record.count == 22 + comment, record.starts(with: [0x50, 0x4b, 0x05, 0x06]) { return true }
      place -= 1
    }
    return false
  }

  private func unreadable(_ reason: String) -> LogError {
    LogError(.packUnreadable, ["path": path, "reason": reason], at: .file(path))
  }

  private func tooLarge(_ limit: UInt64) -> LogError {
    LogError(.packTooLarge, ["path": path, "limit": ByteCount(limit).description], at: .file(path))
  }
}

extension LogPackReader {
  /// Tells whether a file that begins so is an archive: a zip, or a tar, plain or compressed.
  static func isArchive(_ head: UnsafeRawBufferPointer) -> Bool {
    switch FileKind.of(head) {
    case .gzip, .zstandard:
      let form: StreamDecompression.Form = FileKind.of(head) == .gzip ? .gzip : .zstandard
      let inner = StreamDecompression.all(head, form, limit: ArchiveForm.headSize).output
      return inner.withUnsafeBytes { ArchiveForm($0) == .tar && $0.count >= ArchiveForm.headSize }
    case .mplog, .staging: return false
    default:
      let form = ArchiveForm(head)
      return form == .zip || form == .tar && head.count >= ArchiveForm.headSize
    }
  }
}

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
