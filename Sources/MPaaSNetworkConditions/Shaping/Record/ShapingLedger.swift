package import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The records of what was done to the machine, a file each in a folder of the data directory.
package struct ShapingLedger: Sendable {
  /// The state of the shaping that a record tells of.
  package enum Standing: String, Sendable, Hashable {
    /// Its process lives.
    case live
    /// It was to stay, and stays.
    case applied
    /// Its process is gone without having undone it.
    case stale
    /// The machine was started again: there is nothing to undo.
    case gone
    /// It is in another network namespace, where it can only be undone from.
    case elsewhere
  }

  private let folder: String
  private let system: ShapingSystem

  /// - Parameter data: The data directory.
  package init(data: String, system: ShapingSystem = .live) {
    folder = data + "/net/shaping"
    self.system = system
  }

  /// The records by name; of those that cannot be read the errors.
  package func all() -> (records: [ShapingRecord], problems: [NetworkError]) {
    guard let names = try? FileSystem.names(in: folder) else { return ([], []) }
    var records: [ShapingRecord] = []
    var problems: [NetworkError] = []
    for name in names.sorted() where name.hasSuffix(".json") {
      do throws(NetworkError) {
        if let record = try read(String(name.dropLast(5))) { records.append(record) }
      } catch {
        problems.append(error)
      }
    }
    return (records, problems)
  }

  /// nil where the file went away meanwhile.
  private func read(_ name: String) throws(NetworkError) -> ShapingRecord? {
    guard let bytes = try? Bytes.reading("\(folder)/\(name).json", limit: 1 << 20) else { return nil }
    // The record's commands are run with rights: only its owner may have written it.
    guard FileStatus.isOwn("\(folder)/\(name).json") else {
      throw NetworkError(.recordMalformed, ["record": name, "member": "owner"])
    }
    guard let json = try? JSONValue(reading: bytes.buffer) else {
      throw NetworkError(.recordMalformed, ["record": name, "member": "JSON"])
    }
    return try ShapingRecord(name: name, json)
  }

  /// Writes a record down so that it survives a kill; to be called before what it tells of is done.
  package func write(_ record: ShapingRecord) throws(FileError) {
    try Directories.create(folder)
    try Bytes(Array(record.json.line.utf8) + [0x0a]).write(to: "\(folder)/\(record.name).json", mode: 0o600)
    FileSystem.settle(folder)
  }

  /// Writes a file that goes with a record.
  ///
  /// - Returns: Its path.
  package func attach(_ bytes: Bytes, to record: ShapingRecord) throws(FileError) -> String {
    let path = "\(folder)/\(record.name).attached"
    try bytes.write(to: path)
    return path
  }

  package func remove(_ record: ShapingRecord) {
    for end in ["attached", "json"] { unlink("\(folder)/\(record.name).\(end)") }
  }

  package func standing(of record: ShapingRecord) -> Standing {
    if record.boot != system.boot() { return .gone }
    if record.namespace != system.namespace() { return .elsewhere }
    if record.kind == .shape { return .applied }
    guard let mark = system.mark(record.owner.process) else { return .stale }
    return mark == record.owner ? .live : .stale
  }

  /// A record of what is to be done now by this process.
  package func record(
    _ kind: ShapingRecord.Kind, label: String, interface: String, undo: [SystemCommand], forwards: Bool = false
  ) -> ShapingRecord {
    let mark = system.ownMark
    return ShapingRecord(
      name: "\(kind.rawValue)-\(interface)-\(mark.process)", kind: kind, label: label, interface: interface,
      owner: mark, namespace: system.namespace(), boot: system.boot(), started: system.now(), undo: undo,
      restoresForwarding: forwards && (!system.isForwarding() || isForwardingOurs))
  }

  /// Tells whether packets are forwarded only because another run of ours asked for it.
  private var isForwardingOurs: Bool {
    all().records.contains { $0.restoresForwarding && ![.gone, .elsewhere].contains(standing(of: $0)) }
  }

  /// Takes back what a record tells of, and then the record.
  ///
  /// - Returns: The commands that failed, because what they take back is gone already, or because they may not.
  @discardableResult
  package func undo(_ record: ShapingRecord) -> [SystemCommand] {
    let failed = standing(of: record) == .gone ? [] : system.processes.undo(record.undo)
    remove(record)
    if record.restoresForwarding, standing(of: record) != .gone, !isForwardingOurs { _ = system.setForwarding(false) }
    return failed
  }
}

extension FileStatus {
  /// Tells whether a file belongs to the user of this process, and no other may write to it.
  fileprivate static func isOwn(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_uid == geteuid() && status.st_mode & 0o022 == 0
  }
}
