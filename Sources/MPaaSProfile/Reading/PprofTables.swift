import MPaaSSupport

/// The tables of a pprof message as they are read; strings are numbers of the file's.
struct PprofTables {
  /// Name and unit of each sample type.
  var types: [(UInt64, UInt64)] = []
  var mappings: [Mapping] = []
  var locations: [Location] = []
  var functions: [Function] = []
  /// The name of the type that is to be shown, or 0.
  var shown: UInt64 = 0
  /// Rows of frames by the ids of locations, innermost first.
  var frames: [UInt64: [Int32]] = [:]
  /// The same where ids are as small as they mostly are.
  private var dense: [[Int32]] = []

  struct Mapping {
    private(set) var number: UInt64 = 0
    private(set) var start: UInt64 = 0
    private(set) var end: UInt64 = 0
    private(set) var offset: UInt64 = 0
    private(set) var path: UInt64 = 0
    private(set) var id: UInt64 = 0

    init(_ bytes: UnsafeRawBufferPointer) throws(ByteError) {
      var fields = WireFields(bytes)
      while try fields.next() {
        switch fields.number {
        case 1: number = fields.value
        case 2: start = fields.value
        case 3: end = fields.value
        case 4: offset = fields.value
        case 5: path = fields.value
        case 6: id = fields.value
        default: break
        }
      }
    }
  }

  struct Function {
    private(set) var number: UInt64 = 0
    private(set) var name: UInt64 = 0
    private(set) var file: UInt64 = 0
    private(set) var line = 0

    init(_ bytes: UnsafeRawBufferPointer) throws(ByteError) {
      var system: UInt64 = 0
      var fields = WireFields(bytes)
      while try fields.next() {
        switch fields.number {
        case 1: number = fields.value
        case 2: name = fields.value
        case 3: system = fields.value
        case 4: file = fields.value
        case 5: line = Int(truncatingIfNeeded: fields.value)
        default: break
        }
      }
      if name == 0 { name = system }
    }
  }

  struct Location {
    private(set) var number: UInt64 = 0
    private(set) var mapping: UInt64 = 0
    private(set) var address: UInt64 = 0
    /// Numbers of functions, and lines.
    private(set) var lines: [(UInt64, Int)] = []

    init(_ bytes: UnsafeRawBufferPointer) throws(ByteError) {
      var fields = WireFields(bytes)
      while try fields.next() {
        switch (fields.number, fields.contents) {
        case (1, nil): number = fields.value
        case (2, nil): mapping = fields.value
        case (3, nil): address = fields.value
        case (4, let contents?):
          let (function, line) = try PprofTables.pair(contents)
          lines.append((function, Int(truncatingIfNeeded: line)))
        default: break
        }
      }
    }
  }

  /// The first two numbers of a message.
  static func pair(_ bytes: UnsafeRawBufferPointer) throws(ByteError) -> (UInt64, UInt64) {
    var pair = (UInt64(0), UInt64(0))
    var fields = WireFields(bytes)
    while try fields.next() {
      if fields.number == 1 { pair.0 = fields.value }
      if fields.number == 2 { pair.1 = fields.value }
    }
    return pair
  }

  /// Makes ids quick to look up.
  mutating func index() {
    guard let greatest = frames.keys.max(), greatest <= UInt64(frames.count) * 2 + 64 else { return }
    dense = (0...greatest).map { frames[$0] ?? [] }
  }

  @inline(__always)
  func frames(of location: UInt64) -> [Int32]? {
    guard location < UInt64(dense.count) else { return frames[location] }
    let frames = dense[Int(location)]
    return frames.isEmpty ? nil : frames
  }
}

/// The labels of a sample that tell its thread; names are numbers of strings.
struct PprofThread: Hashable {
  var id: Int64 = 0
  var process: Int64 = 0
  var name = 0
  var processName = 0
}

/// One sample of a pprof message; its memory is used again for the next one.
struct PprofSample {
  struct Label {
    var key: UInt64 = 0
    var text: UInt64 = 0
    var number: Int64 = 0
  }

  /// The ids of locations, innermost first.
  private(set) var ids: [UInt64] = []
  var values: [Int64] = []
  private(set) var labels: [Label] = []
  /// Times of the events that were put together.
  private(set) var ticks: [Int64] = []
  /// Values of the events, for each sample type.
  private(set) var parts: [[Int64]] = []

  mutating func read(_ bytes: UnsafeRawBufferPointer) throws(ByteError) {
    ids.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
    labels.removeAll(keepingCapacity: true)
    ticks.removeAll(keepingCapacity: true)
    parts.removeAll(keepingCapacity: true)
    var fields = WireFields(bytes)
    while try fields.next() {
      switch fields.number {
      case 1: try fields.numbers { ids.append($0) }
      case 2: try fields.numbers { values.append(Int64(bitPattern: $0)) }
      case 3: if let contents = fields.contents { labels.append(try Self.label(contents)) }
      case 4: if let contents = fields.contents { try readEvents(contents) }
      default: break
      }
    }
    spread()
  }

  private static func label(_ bytes: UnsafeRawBufferPointer) throws(ByteError) -> Label {
    var label = Label()
    var fields = WireFields(bytes)
    while try fields.next() {
      switch fields.number {
      case 1: label.key = fields.value
      case 2: label.text = fields.value
      case 3: label.number = Int64(bitPattern: fields.value)
      default: break
      }
    }
    return label
  }

  private mutating func readEvents(_ bytes: UnsafeRawBufferPointer) throws(ByteError) {
    var times: [Int64] = []
    var part: [Int64] = []
    var fields = WireFields(bytes)
    while try fields.next() {
      if fields.number == 1 { try fields.numbers { times.append(Int64(bitPattern: $0)) } }
      if fields.number == 2 { try fields.numbers { part.append(Int64(bitPattern: $0)) } }
    }
    if parts.isEmpty { ticks = times }
    parts.append(part)
  }

  /// Values that are left out are the same for all events.
  private mutating func spread() {
    guard !ticks.isEmpty else { return }
    for index in parts.indices where parts[index].isEmpty && index < values.count {
      let (each, rest) = values[index].quotientAndRemainder(dividingBy: Int64(ticks.count))
      if rest == 0 { parts[index] = [Int64](repeating: each, count: ticks.count) }
    }
  }
}
