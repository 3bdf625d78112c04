import MPaaSSupport
import MPaaSToolSupport

/// Reports of earlier calls by the content of all sources: where none has changed, nothing is searched again.
package struct ReportCache: Sendable {
  private let folder: String
  /// Reports that are kept.
  private static let limit = 32

  package init(folder: String) { self.folder = folder }

  /// The name of a call: the content and language of all files, and what was asked for.
  ///
  /// Paths are no part of it; a report is told with those of the call.
  package static func key(
    _ files: [SourceFile], _ options: CloneOptions, skipsGenerated: Bool, processors: Int? = nil
  ) -> String {
    let count = files.reduce(0) { $0 + $1.size } < 1 << 21 ? 1 : max(1, min(processors ?? Workers.count(limit: 16), 16))
    let digests = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: max(files.count, 1))
    digests.initialize(repeating: 0)
    defer { digests.deallocate() }
    nonisolated(unsafe) let all = digests
    Workers.run(count) { part in
      var input = LexerInput()
      for index in stride(from: part, to: files.count, by: count) {
        let isRead = (try? input.load(files[index].path, limit: SourceReader.limit)) ?? false
        let hash = isRead ? TokenHash.of(UnsafePointer(input.memory), input.count) : .max
        all[index] = TokenHash.mix(hash &+ UInt64(files[index].language.rawValue) &* 0x9e37_79b9_7f4a_7c15)
      }
    }
    var (low, high): (UInt64, UInt64) = (3, 0x1234_5678_9abc_def1)
    func add(_ value: UInt64) {
      low = TokenHash.mix(low ^ value)
      high = TokenHash.mix(high &+ value &* 0x9ddf_ea08_eb38_2d69)
    }
    for value in [options.minimumTokens, options.gap, files.count] { add(UInt64(truncatingIfNeeded: value)) }
    for type in options.types.map(\.rawValue).sorted() { add(UInt64(type)) }
    add(options.ignoresImports ? 1 : 0)
    add(options.ignoresLiterals ? 1 : 0)
    add(skipsGenerated ? 1 : 0)
    for index in files.indices { add(digests[index]) }
    return withUnsafeBytes(of: (low.bigEndian, high.bigEndian)) { Array($0).hexadecimal }
  }

  /// The report of a name for files; nil where there is none that can be read.
  package func report(_ key: String, _ files: [SourceFile]) -> CloneReport? {
    guard let bytes = try? Bytes.reading(path(key), limit: 1 << 29),
      let value = withExtendedLifetime(bytes, { try? JSONValue(reading: bytes.buffer) })
    else { return nil }
    let report = CloneReport(value, files)
    if report != nil { FileSystem.touch(path(key)) }
    return report
  }

  /// Keeps a report, where the folder can be written.
  package func keep(_ report: CloneReport, _ key: String, _ files: [SourceFile]) {
    guard (try? Directories.create(folder)) != nil else { return }
    var text: [UInt8] = []
    report.value(files).append(to: &text)
    try? Bytes(text).write(to: path(key))
    prune()
  }

  private func path(_ key: String) -> String { folder + "/" + key + ".json" }

  private func prune() {
    let names = ((try? FileSystem.names(in: folder)) ?? []).filter { $0.hasSuffix(".json") }
    guard names.count > Self.limit else { return }
    let dated = names.map { name in (name, FileStatus(folder + "/" + name)?.modifiedNanoseconds ?? 0) }
    for (name, _) in dated.sorted(by: { $0.1 < $1.1 }).prefix(names.count - Self.limit) {
      try? FileSystem.remove(folder + "/" + name)
    }
  }
}
