import MPaaSLock
package import MPaaSLogs
package import MPaaSSupport

/// The files of monitor points: `TYPE/YYYY-MM-DD/HH.log`, a record a line, whose first digit is its state.
///
/// Each record is written at once, so that the end of the process loses none. Several processes may use a folder.
package final class MonitorFiles: Sendable {
  package let folder: String
  package let clock: MonitorClock
  package let settings: MonitorSettings

  private struct State {
    var open: [LogType: (name: String, file: MonitorFile)] = [:]
    var waiting: [LogType: MonitorCount] = [:]
    /// Records that found no room since the last that did.
    var dropped: [LogType: Int] = [:]
    /// Appended bytes until the size of all files is looked at again.
    var untilTidying = 0
  }
  private let state: Lock<State>

  /// - Throws: `FileError` where the folder cannot be made.
  package init(_ folder: String, settings: MonitorSettings = MonitorSettings(), clock: MonitorClock = .live)
    throws(FileError)
  {
    self.folder = folder
    self.settings = settings
    self.clock = clock
    try Directories.create(folder)
    var state = State()
    for file in Self.files(in: folder) {
      state.waiting[file.type, default: MonitorCount()] += Self.count(folder + "/" + file.name)
    }
    self.state = Lock(state)
  }

  /// The records that wait to be uploaded, by type.
  package var waiting: [LogType: MonitorCount] { state.withLock { $0.waiting } }

  /// Appends a record, and gives what of its type waits now; nil where the type is off or the disk has no room even
  /// without what is old.
  package func append(_ type: LogType, _ event: String, _ fields: [MonitorLine.Field]) -> MonitorCount? {
    guard settings.rule(type).isOn, let name = Self.folderName(type) else { return nil }
    let time = MonitorTime(clock.now(), clock)
    let line = MonitorLine(time: time.text, event: event, fields: fields).text
    let file = "\(name)/\(time.day)/\(time.hour).log"
    return state.withLock { state in append(type, line, at: time, in: file, &state) }
  }

  private func append(_ type: LogType, _ line: String, at time: MonitorTime, in name: String, _ state: inout State)
    -> MonitorCount?
  {
    if state.untilTidying <= 0 {
      tidy(&state, needed: line.utf8.count)
      state.untilTidying = max(4096, settings.size / 64)
    }
    for attempt in 0..<3 {
      // Records that go to make room are told of in front of the record that needs it.
      let lines = dropNote(type, at: time, state) + [line]
      var bytes: [UInt8] = []
      for line in lines {
        bytes.append(MonitorScan.waiting)
        bytes += line.utf8
        bytes.append(0x0a)
      }
      if write(bytes, type, name, &state) {
        state.dropped[type] = nil
        state.untilTidying -= bytes.count
        state.waiting[type, default: MonitorCount()] += MonitorCount(records: lines.count, bytes: bytes.count)
        return state.waiting[type]
      }
      state.open[type] = nil
      // No room, as a rule: first what is uploaded makes some, then what is oldest.
      if attempt < 2 { makeRoom(&state, sparesWaiting: attempt == 0) }
    }
    state.dropped[type, default: 0] += 1
    return nil
  }

  private func dropNote(_ type: LogType, at time: MonitorTime, _ state: State) -> [String] {
    guard let dropped = state.dropped[type] else { return [] }
    return [MonitorLine(time: time.text, event: "dropped", fields: [.init("records", String(dropped))]).text]
  }

  private func write(_ bytes: [UInt8], _ type: LogType, _ name: String, _ state: inout State) -> Bool {
    if state.open[type]?.name != name || state.open[type]?.file.isInPlace != true {
      let path = folder + "/" + name
      guard (try? Directories.create(FileSystem.folder(of: path))) != nil,
        let file = try? MonitorFile(appending: path)
      else { return false }
      state.open[type] = (name, file)
    }
    return (try? state.open[type]?.file.append(bytes)) != nil
  }

  // MARK: Uploading

  /// The next records of a type that wait, oldest first, with the parts of files that they stand in.
  package func next(_ type: LogType, records: Int, bytes: Int) -> (slices: [MonitorSlice], lines: [String]) {
    var slices: [MonitorSlice] = []
    var lines: [String] = []
    var size = 0
    for name in Self.files(in: folder).filter({ $0.type == type }).map(\.name) {
      guard let file = try? MonitorFile(marking: folder + "/" + name) else { continue }
      var slice: MonitorSlice?
      MonitorScan.waiting(in: file) { line in
        guard lines.count < records, lines.isEmpty || size + line.text.count <= bytes else { return false }
        lines.append(String(decoding: line.text, as: UTF8.self))
        size += line.text.count
        slice = MonitorSlice(file: name, start: slice?.start ?? line.start, end: line.end)
        return true
      }
      if var slice {
        slice.checksum = MonitorScan.checksum(slice, in: file)
        slices.append(slice)
      }
      if lines.count >= records || size >= bytes { break }
    }
    return (slices, lines)
  }

  /// The lines of parts of files that wait.
  package func lines(_ slices: [MonitorSlice]) -> [String] {
    var lines: [String] = []
    for slice in slices {
      guard let file = try? MonitorFile(marking: folder + "/" + slice.file),
        MonitorScan.checksum(slice, in: file) == slice.checksum
      else { continue }
      MonitorScan.waiting(in: file, from: slice.start, to: slice.end) { line in
        lines.append(String(decoding: line.text, as: UTF8.self))
        return true
      }
    }
    return lines
  }

  /// Returns when the parts of files survive loss of power.
  package func settle(_ slices: [MonitorSlice]) throws(FileError) {
    for slice in slices {
      try MonitorFile(marking: folder + "/" + slice.file).settle()
      FileSystem.settle(FileSystem.folder(of: folder + "/" + slice.file))
    }
  }

  /// Marks all that waits in parts of files as uploaded.
  ///
  /// A file that is gone is fine; one that took its name meanwhile is left as it is.
  package func mark(_ type: LogType, _ slices: [MonitorSlice]) throws(FileError) {
    var marked = MonitorCount()
    for slice in slices where FileStatus(folder + "/" + slice.file) != nil {
      let file = try MonitorFile(marking: folder + "/" + slice.file)
      guard MonitorScan.checksum(slice, in: file) == slice.checksum else { continue }
      var starts: [Int] = []
      MonitorScan.waiting(in: file, from: slice.start, to: slice.end) { line in
        starts.append(line.start)
        marked += MonitorCount(records: 1, bytes: line.end - line.start)
        return true
      }
      for start in starts { try file.mark(at: start, MonitorScan.uploaded) }
      try file.settle()
    }
    let gone = marked
    state.withLock { $0.waiting[type, default: MonitorCount()] -= gone }
  }

  // MARK: Limits

  /// Removes what is uploaded and old, then, while there is too much, the oldest.
  private func tidy(_ state: inout State, needed: Int) {
    var files = Self.files(in: folder).compactMap { file in
      FileStatus(folder + "/" + file.name).map { (file: file, status: $0) }
    }
    var size = files.reduce(needed) { $0 + Int(clamping: $1.status.size) }
    let oldest = Int64(clock.now()) - Int64(settings.days) * 86_400
    files.sort { ($0.file.time, $0.file.name) < ($1.file.time, $1.file.name) }
    for sparesWaiting in [true, false] {
      for (file, status) in files {
        let isTooMuch = size > settings.size
        let waits = Self.count(folder + "/" + file.name)
        guard sparesWaiting ? waits.records == 0 && (isTooMuch || status.modified < oldest) : isTooMuch else {
          continue
        }
        if remove(file, &state) { size -= Int(clamping: status.size) }
      }
      files.removeAll { FileStatus(folder + "/" + $0.file.name) == nil }
    }
  }

  private func makeRoom(_ state: inout State, sparesWaiting: Bool) {
    let files = Self.files(in: folder).sorted { ($0.time, $0.name) < ($1.time, $1.name) }
    let able = files.first { !sparesWaiting || Self.count(folder + "/" + $0.name).records == 0 }
    if let able { remove(able, &state) }
  }

  /// Removes a file; what waited in it is counted as dropped.
  @discardableResult
  private func remove(_ file: Name, _ state: inout State) -> Bool {
    let waits = Self.count(folder + "/" + file.name)
    guard (try? FileSystem.remove(folder + "/" + file.name)) != nil else { return false }
    FileSystem.removeIfEmpty(FileSystem.folder(of: folder + "/" + file.name))
    if state.open[file.type]?.name == file.name { state.open[file.type] = nil }
    state.waiting[file.type, default: MonitorCount()] -= waits
    if waits.records > 0 { state.dropped[file.type, default: 0] += waits.records }
    return true
  }
}

extension MonitorCount {
  package static func += (left: inout MonitorCount, right: MonitorCount) {
    left.records += right.records
    left.bytes += right.bytes
  }

  /// Other processes append too, so what is known to wait may be less than what went.
  package static func -= (left: inout MonitorCount, right: MonitorCount) {
    left.records = max(0, left.records - right.records)
    left.bytes = max(0, left.bytes - right.bytes)
  }
}
