import CArchive
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
  /// Whether the last file could not be read to its end.
  private var isTorn = false

  init(_ bytes: Bytes, path: String, temporary: TemporaryPlace, _ limits: LogPackLimits) throws(LogError) {
    self.bytes = bytes
    self.path = path
    self.limits = limits
    left = limits.budget(archiveSize: bytes.count)
    do throws(FileError) { room = try UnnamedFile(in: temporary) } catch { throw LogError(error) }
  }

  /// When the archive was written, in seconds since 1970.
  var modified: Int64 { FileStatus(path)?.modified ?? 0 }

  /// Unpacks all.
  ///
  /// - Returns: false where nobody asked for it and there is no manifest at its front.
  mutating func run(isNamed: Bool) throws(LogError) -> Bool {
    let isZip = bytes.buffer.starts(with: Self.zip) || bytes.buffer.starts(with: Self.emptyZip)
    guard mp_archive_load(), let start = bytes.buffer.baseAddress,
      let archive = mp_archive_open_tree(start, bytes.count, isZip)
    else {
      throw unreadable(mp_archive_missing().map { String(cString: $0) } ?? "libarchive")
    }
    let target = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 64)
    defer {
      mp_archive_close(archive)
      target.deallocate()
      withExtendedLifetime(bytes) {}
    }
    var member = mp_archive_member()
    while true {
      switch mp_archive_next_member(archive, &member) {
      case MP_ARCHIVE_END:
        if isZip, !hasEnd { faults.append(unreadable("end of central directory")) }
        return true
      case MP_ARCHIVE_ENTRY: break
      default:
        // What ends in a file that was told already is no second fault.
        if !isTorn { faults.append(unreadable(Self.reason(archive))) }
        return true
      }
      guard member.kind != MP_ARCHIVE_FOLDER else { continue }
      guard names.count < limits.entries else {
        throw LogError(.packTooLarge, ["path": path, "limit": "\(limits.entries)"], at: .file(path))
      }
      guard let name = name(member), names.insert(name).inserted else {
        faults.append(LogError(.packFileUnlisted, ["path": path, "file": Self.shown(member)], at: .file(path)))
        continue
      }
      guard !member.is_encrypted else {
        faults.append(unreadable(name))
        continue
      }
      if name == LogPackManifest.name {
        try readManifest(archive, target)
      } else {
        guard isNamed || manifest != nil else { return false }
        try unpack(name, archive, target)
      }
    }
  }

  /// The name of a regular file: characters that can be shown, no way out of the archive.
  private func name(_ member: mp_archive_member) -> String? {
    guard member.kind == MP_ARCHIVE_FILE, let raw = member.path, var name = String(validatingCString: raw) else {
      return nil
    }
    while name.hasPrefix("./") { name.removeFirst(2) }
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard name.utf8.count <= limits.path, !parts.contains(""), !parts.contains(".."),
      !name.unicodeScalars.contains(where: Self.isControl)
    else { return nil }
    return name
  }

  /// A name that is none, as it can be shown.
  private static func shown(_ member: mp_archive_member) -> String {
    let raw = member.path.map { String(cString: $0) } ?? ""
    return String(String.UnicodeScalarView(raw.unicodeScalars.prefix(200).map { isControl($0) ? "?" : $0 }))
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.value < 0x20 || scalar.value == 0x7f }

  private mutating func readManifest(_ archive: OpaquePointer, _ target: UnsafeMutableRawBufferPointer) throws(LogError)
  {
    var json: [UInt8] = []
    while let start = target.baseAddress {
      let count = mp_archive_read(archive, start, target.count)
      guard count >= 0 else { throw unreadable("\(LogPackManifest.name): \(Self.reason(archive))") }
      if count == 0 { break }
      json += UnsafeRawBufferPointer(rebasing: target[..<count])
      guard json.count <= limits.manifest else { throw tooLarge(UInt64(limits.manifest)) }
    }
    do {
      manifest = try JSONDecoder().decode(LogPackManifest.self, from: Data(json))
    } catch {
      throw unreadable(LogPackManifest.name)
    }
    guard manifest?.version == 1 else { throw unreadable("\(LogPackManifest.name): version") }
  }

  private mutating func unpack(
    _ name: String, _ archive: OpaquePointer, _ target: UnsafeMutableRawBufferPointer
  ) throws(LogError) {
    var digest = RunningDigest()
    let start = end
    while let memory = target.baseAddress {
      let count = mp_archive_read(archive, memory, target.count)
      if count <= 0 {
        isTorn = count < 0
        if isTorn { faults.append(unreadable("\(name): \(Self.reason(archive))")) }
        break
      }
      guard UInt64(count) <= left else { throw tooLarge(limits.budget(archiveSize: bytes.count)) }
      left -= UInt64(count)
      let piece = UnsafeRawBufferPointer(rebasing: target[..<count])
      digest.update(piece)
      try write(piece)
      // What was read of the archive counts for memory as long as it is mapped.
      if end >> 24 != (end - count) >> 24 { bytes.release(bytes.count) }
    }
    found.append(Found(path: name, range: start..<end, digest: digest.value.hexadecimal))
    // Each begins at a page of its own.
    let pad = -end & 0xfff
    for place in 0..<pad { target[place] = 0 }
    try write(UnsafeRawBufferPointer(rebasing: target[..<pad]))
  }

  private mutating func write(_ piece: UnsafeRawBufferPointer) throws(LogError) {
    do throws(FileError) { try room.append(piece) } catch { throw LogError(error) }
    end += piece.count
  }

  /// Whether the record stands at the end of a zip that says so; what was cut short has none.
  private var hasEnd: Bool {
    let tail = UnsafeRawBufferPointer(rebasing: bytes.buffer.suffix(22 + 0xffff))
    var place = tail.count - 22
    while place >= 0 {
      let record = UnsafeRawBufferPointer(rebasing: tail[place...])
      let comment = Int(record[20]) | Int(record[21]) << 8
      if record.count == 22 + comment, record.starts(with: Self.emptyZip) { return true }
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

  private static func reason(_ archive: OpaquePointer) -> String {
    mp_archive_error(archive).map { String(cString: $0) } ?? ""
  }
}

extension LogPackReader {
  private static let zip: [UInt8] = [0x50, 0x4b, 0x03, 0x04]
  private static let emptyZip: [UInt8] = [0x50, 0x4b, 0x05, 0x06]

  /// Whether a file that begins so is an archive: a zip, or a tar, plain or compressed.
  static func isArchive(_ head: UnsafeRawBufferPointer) -> Bool {
    switch FileKind.of(head) {
    case .gzip, .zstandard:
      let form: StreamDecompression.Form = FileKind.of(head) == .gzip ? .gzip : .zstandard
      return StreamDecompression.all(head, form, limit: 512).output.withUnsafeBytes(isTar)
    case .mplog, .staging: return false
    default: return head.starts(with: zip) || head.starts(with: emptyZip) || isTar(head)
    }
  }

  private static func isTar(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count >= 512 && bytes[257..<262].elementsEqual("ustar".utf8)
  }
}

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
