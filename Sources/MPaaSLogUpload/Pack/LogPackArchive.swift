import CArchive
import MPaaSLogs
import MPaaSSupport

/// Writes an archive of logs, by libarchive.
enum LogPackArchive {
  static func write(_ plan: LogPackPlan, to target: String, _ format: LogPack.Format) throws(LogError) {
    let file: PartialFile
    do throws(FileError) { file = try PartialFile(beside: target) } catch { throw LogError(error) }
    try write(plan, format, to: file)
    do throws(FileError) { try file.finish(mode: 0o600) } catch { throw LogError(error) }
  }

  private static func write(_ plan: LogPackPlan, _ format: LogPack.Format, to file: PartialFile) throws(LogError) {
    let sink: mp_archive_sink = { context, bytes, size in
      guard let context else { return false }
      let file = Unmanaged<PartialFile>.fromOpaque(context).takeUnretainedValue()
      return (try? file.append(UnsafeRawBufferPointer(start: bytes, count: size))) != nil
    }
    let context = Unmanaged.passUnretained(file).toOpaque()
    guard let writer = mp_archive_write_open(format == .zip, sink, context) else {
      let reason = mp_archive_missing().map { String(cString: $0) } ?? "libarchive"
      throw LogError(.packFailed, ["path": file.target, "reason": reason], at: .file(file.target))
    }
    defer {
      mp_archive_write_close(writer)
      withExtendedLifetime(file) {}
    }
    let manifest = plan.manifestBytes
    try add(LogPackManifest.name, [manifest], writer, file.target)
    for content in plan.contents { try add(content.path, content.pieces, writer, file.target) }
    guard mp_archive_write_end(writer) else { throw failure(writer, file.target) }
  }

  private static func add(
    _ path: String, _ pieces: [Bytes], _ writer: OpaquePointer, _ target: String
  ) throws(LogError) {
    let size = pieces.reduce(0) { $0 + $1.count }
    guard mp_archive_write_entry(writer, MP_ARCHIVE_WRITE_FILE, path, nil, Int64(size)) else {
      throw failure(writer, target)
    }
    for piece in pieces {
      guard let start = piece.buffer.baseAddress, piece.count > 0 else { continue }
      guard mp_archive_write_data(writer, start, piece.count) else { throw failure(writer, target) }
    }
    withExtendedLifetime(pieces) {}
  }

  private static func failure(_ writer: OpaquePointer, _ target: String) -> LogError {
    let reason = mp_archive_write_error(writer).map { String(cString: $0) } ?? ""
    return LogError(.packFailed, ["path": target, "reason": reason], at: .file(target))
  }
}
