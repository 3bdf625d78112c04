import MPaaSFlags

/// An event of a stream of server-sent events.
package struct ServerSentEvent: Sendable, Equatable {
  /// The type, `message` where the server names none.
  package var type: String
  package var data: [UInt8]
  /// The last ID that the server gave, of this event or of one before.
  package var lastID: String?

  package init(type: String, data: [UInt8], lastID: String?) {
    (self.type, self.data, self.lastID) = (type, data, lastID)
  }
}

/// The reader of a stream of server-sent events, which takes bytes as they come, in pieces of any size.
///
/// - Source: WHATWG HTML, 9.2.6 "Interpreting an event stream".
package struct EventStreamParser: Sendable {
  /// The most bytes of a line, and of the data of an event: a whole state, and what is around it.
  static let limit = FlagState.Limit.bytes + (1 << 20)

  private var line: [UInt8] = []
  /// Tells whether the last byte was a carriage return, whose line feed may follow.
  private var isAfterReturn = false
  /// Tells whether no line has ended yet, so that a byte order mark may stand in front.
  private var isFirstLine = true
  private var type: [UInt8] = []
  private var data: [UInt8] = []
  private var hasData = false
  private var lastID: String?
  /// The time that the server wants between two attempts, in milliseconds.
  private(set) var retry: Int?

  package init() {}

  /// Takes bytes, and hands on each event that they end.
  ///
  /// - Returns: False where a line or an event is too long; nothing more is to be taken then.
  package mutating func take(_ bytes: UnsafeRawBufferPointer, _ emit: (ServerSentEvent) -> Void) -> Bool {
    var start = 0
    for place in bytes.indices {
      let byte = bytes[place]
      if isAfterReturn {
        isAfterReturn = false
        if byte == UInt8(ascii: "\n") {
          start = place + 1
          continue
        }
      }
      guard byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") else { continue }
      guard append(bytes[start..<place]) else { return false }
      isAfterReturn = byte == UInt8(ascii: "\r")
      guard endLine(emit) else { return false }
      start = place + 1
    }
    return append(bytes[start...])
  }

  private mutating func append(_ part: Slice<UnsafeRawBufferPointer>) -> Bool {
    guard line.count + part.count <= Self.limit else { return false }
    line.append(contentsOf: part)
    return true
  }

  private mutating func endLine(_ emit: (ServerSentEvent) -> Void) -> Bool {
    if isFirstLine, line.starts(with: [0xef, 0xbb, 0xbf]) { line.removeFirst(3) }
    isFirstLine = false
    defer { line.removeAll(keepingCapacity: line.count <= 1 << 16) }
    if line.isEmpty {
      dispatch(emit)
      return true
    }
    // A comment; it only shows that the server is there.
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return field(line[...], []) }
    guard colon > 0 else { return true }
    var value = line[(colon + 1)...]
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    return field(line[..<colon], value)
  }

  private mutating func field(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) -> Bool {
    if name.elementsEqual("data".utf8) {
      guard data.count + value.count < Self.limit else { return false }
      if hasData { data.append(UInt8(ascii: "\n")) }
      data.append(contentsOf: value)
      hasData = true
    } else if name.elementsEqual("event".utf8) {
      type = Array(value)
    } else if name.elementsEqual("id".utf8) {
      if !value.contains(0) { lastID = value.isEmpty ? nil : String(decoding: value, as: UTF8.self) }
    } else if name.elementsEqual("retry".utf8) {
      if !value.isEmpty, value.allSatisfy({ 0x30...0x39 ~= $0 }) {
        retry = Int(String(decoding: value, as: UTF8.self)) ?? retry
      }
    }
    return true
  }

  private mutating func dispatch(_ emit: (ServerSentEvent) -> Void) {
    if hasData {
      let name = type.isEmpty ? "message" : String(decoding: type, as: UTF8.self)
      emit(ServerSentEvent(type: name, data: data, lastID: lastID))
    }
    (type, data, hasData) = ([], [], false)
  }
}
