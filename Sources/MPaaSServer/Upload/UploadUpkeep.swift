import MPaaSDatabase
import MPaaSSupport

/// The upkeep at a start, and from time to time: goes on where a killed server was, and removes what expired.
extension UploadService {
  /// Takes each unfinished upload to the byte up to which its file can be trusted, and publishes what is whole.
  func recover() async throws {
    let folder = FileSystem.folder(of: path(of: "-"))
    try Directories.create(folder)
    let boot = MachineStart.id
    let open = try await services.store.read { database in
      let sameStart = try database.rows("SELECT id FROM uploads WHERE state = 'open' AND boot = ?", [.text(boot)]) {
        $0.text(0)
      }
      return (all: try UploadRecord.all(database, where: "state <> 'whole' OR concat = 'partial'"), Set(sameStart))
    }
    var files = Set((try? FileSystem.names(in: folder)) ?? [])
    for record in open.all {
      files.remove(record.id)
      guard record.state == .open else { continue }
      await recover(record, isSameStart: !boot.isEmpty && open.1.contains(record.id))
    }
    // Files of uploads that were removed, or published, just before the end.
    for name in files { try? FileSystem.remove("\(folder)/\(name)") }
  }

  private func recover(_ record: UploadRecord, isSameStart: Bool) async {
    let path = path(of: record.id)
    guard let size = FileStatus(path).map({ Int64(clamping: $0.size) }) else { return }
    var record = record
    let trusted = isSameStart && !record.isUnverified ? min(size, record.size ?? size) : record.offset
    guard trusted > record.offset || (record.isFull && record.wire == .tus) else { return }
    do {
      let file = try await services.disk { [trusted] in
        let file = try UploadFile(path, offset: trusted, hashed: nil)
        try file.settle()
        return file
      }
      record.offset = trusted
      if record.isFull, record.wire == .tus {
        _ = try await publish(record, file)
      } else {
        _ = try await save(record)
      }
    } catch {
      services.counts.refused((Refusal(any: error)?.error.code ?? .fault).id.name)
    }
  }

  /// Removes uploads that were not continued in time.
  func expire() async {
    let moment = services.now()
    let expired = try? await services.store.read { database in
      // The server that has the bytes does so, as long as there is one.
      try UploadRecord.all(database, where: "expires <= ?", [.real(moment)]).filter { record in
        try !isElsewhere(record) || isLost(record, database)
      }
    }
    for record in expired ?? [] {
      guard let claim = await claims.takeIdle(record.id) else { continue }
      if record.state == .open { services.counts.add("expired.upload") }
      try? await remove(record)
      await claims.release(claim)
    }
  }
}
