import MPaaSLogUpload
import MPaaSLogs
import MPaaSSupport

/// Records of text that can only be read from the front.
struct StreamSource: LogSource {
  let name: String
  let format: LogFormat
  let type: LogType?
  let shape: TextShape
  private let first: Int64?
  /// Bytes that are looked at in one go.
  private static let window = 1 << 18
  private let open: @Sendable () throws -> any TextProducer

  /// - Parameter open: Begins to read anew.
  init(
    name: String, format: LogFormat?, type: LogType?, shape: TextShape,
    open: @escaping @Sendable () throws -> any TextProducer
  ) throws {
    self.name = name
    self.type = type
    self.open = open
    var shape = shape
    var producer = try open()
    var sample: [UInt8] = []
    // Damage is told when the log is read.
    while sample.count < 1 << 16, let more = try? producer.next() { sample += more }
    let learned = sample.withUnsafeBytes { shape.learn(from: $0) }
    self.format = format ?? learned
    var reader = shape.reader
    first = sample.withUnsafeBytes { bytes in
      var start = 0
      while start < bytes.count {
        let end = bytes.lineEnd(start)
        if let time = reader.head(bytes.line(start, end))?.time { return time }
        start = end + 1
      }
      return nil
    }
    self.shape = shape
  }

  func leastTime() -> Int64? { first }

  func pieces(for query: LogQuery) throws -> LogPieces {
    var producer = try open()
    var rest: [UInt8] = []
    var isDone = false
    let shape = shape
    return .sequential {
      guard !isDone else { return nil }
      var problem: LogError?
      while rest.count < Self.window {
        do throws(LogError) {
          guard let more = try producer.next() else {
            isDone = true
            break
          }
          rest += more
        } catch {
          problem = error
          break
        }
      }
      let cut = isDone ? rest.count : rest.withUnsafeBytes { shape.lastStart($0) }
      let text = Array(rest[..<cut])
      rest.removeFirst(cut)
      let found = problem
      return LogPiece { sieve throws(LogError) in
        var scan = TextScan(shape, sieve)
        text.withUnsafeBytes { if !$0.isEmpty { scan.run($0.withoutLastLineEnd) } }
        if let found { throw found }
      }
    }
  }
}

extension TextShape {
  /// The beginning of the last record begins; all of it where none does, so that what has no end is still told.
  func lastStart(_ bytes: UnsafeRawBufferPointer) -> Int {
    var reader = reader
    var end = bytes.count
    var tries = 0
    var lastLine = bytes.count
    while end > 0, tries < 4096 {
      let start = bytes.lineStart(max(end - 1, 0), notBefore: 0)
      if lastLine == bytes.count { lastLine = start }
      if !hasHeads { return start > 0 ? start : bytes.count }
      if start > 0, reader.head(bytes.line(start, bytes.lineEnd(start))) != nil { return start }
      end = start
      tries += 1
    }
    return lastLine > 0 ? lastLine : bytes.count
  }
}
