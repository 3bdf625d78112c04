/// Finds the end of a body of HTTP/1.1 in bytes as they come; the bytes themselves stay as they are.
package struct HTTP1Body: Sendable {
  /// The fate of some bytes.
  package struct Step: Equatable {
    /// The bytes that belong to the body, its chunk lines included.
    package var taken = 0
    /// The bytes of content among them.
    package var content = 0
    /// Tells whether the body ends with them.
    package var isEnd = false
    /// Tells whether more content would come than is allowed.
    package var isCut = false
  }

  private enum State {
    case counted(Int64)
    case open
    case done
    // Chunks (RFC 9112 section 7.1).
    case size(Int64, digits: Int)
    case `extension`(Int64)
    case sizeEnd(Int64)
    case data(Int64)
    case dataEnd, dataLineFeed
    case trailer, trailerLine, trailerLineEnd, lastLineFeed
  }

  private var state: State
  /// The room used by chunk extensions and trailers have used of their room.
  private var overhead = 0

  /// The most bytes of all extensions of a chunk line, and of all trailers.
  private static let longestExtension = 4096
  private static let longestTrailers = 65_536

  package init(_ framing: HTTP1Head.Framing) {
    state =
      switch framing {
      case .none: .done
      case .length(let length): length == 0 ? .done : .counted(length)
      case .chunked: .size(0, digits: 0)
      case .close: .open
      }
  }

  package var isDone: Bool { if case .done = state { true } else { false } }
  /// Tells whether the end of the connection is the end of the body.
  package var endsWithConnection: Bool { if case .open = state { true } else { false } }

  /// Goes on with bytes that came.
  ///
  /// - Parameter allowed: The most bytes of content to take; where there would be more, the step says so.
  package mutating func take(_ bytes: UnsafeRawBufferPointer, allowed: Int64 = .max) throws(HTTPRefusal) -> Step {
    var step = Step()
    while step.taken < bytes.count, !isDone {
      let isContent: Int64? =
        switch state {
        case .counted(let left), .data(let left): left
        case .open: .max
        default: nil
        }
      if let left = isContent {
        let room = allowed - Int64(step.content)
        let count = Int(min(left, room, Int64(bytes.count - step.taken)))
        if count == 0 {
          step.isCut = true
          return step
        }
        step.taken += count
        step.content += count
        pass(Int64(count))
      } else {
        try meet(bytes[step.taken])
        step.taken += 1
      }
    }
    step.isEnd = isDone
    return step
  }

  private mutating func pass(_ count: Int64) {
    switch state {
    case .counted(let left): state = left == count ? .done : .counted(left - count)
    case .data(let left): state = left == count ? .dataEnd : .data(left - count)
    default: break
    }
  }

  /// Takes one byte of what lies around the content of chunks.
  private mutating func meet(_ byte: UInt8) throws(HTTPRefusal) {
    switch (state, byte) {
    case (.size(let size, let digits), _) where byte.hexadecimal != nil:
      guard digits < 15, let digit = byte.hexadecimal else { throw HTTPRefusal(400, "A chunk is too long.") }
      state = .size(size << 4 | Int64(digit), digits: digits + 1)
    case (.size(let size, let digits), 13) where digits > 0: state = .sizeEnd(size)
    case (.size(let size, let digits), UInt8(ascii: ";")) where digits > 0: state = .extension(size)
    case (.size(let size, let digits), _) where digits > 0 && HTTP1Bytes.isSpace(byte): state = .extension(size)
    case (.extension(let size), 13): state = .sizeEnd(size)
    case (.extension, _) where HTTP1Bytes.isValue(byte): try spend(Self.longestExtension)
    case (.sizeEnd(let size), 10):
      overhead = 0
      state = size == 0 ? .trailer : .data(size)
    case (.dataEnd, 13): state = .dataLineFeed
    case (.dataLineFeed, 10): state = .size(0, digits: 0)
    case (.trailer, 13): state = .lastLineFeed
    case (.trailer, _) where HTTP1Bytes.isToken(byte):
      try spend(Self.longestTrailers)
      state = .trailerLine
    case (.trailerLine, 13): state = .trailerLineEnd
    case (.trailerLine, _) where HTTP1Bytes.isValue(byte): try spend(Self.longestTrailers)
    case (.trailerLineEnd, 10): state = .trailer
    case (.lastLineFeed, 10): state = .done
    default: throw HTTPRefusal(400, "The body is not chunked as its Transfer-Encoding says.")
    }
  }

  private mutating func spend(_ room: Int) throws(HTTPRefusal) {
    overhead += 1
    guard overhead <= room else { throw HTTPRefusal(400, "The body has too long chunk extensions or trailers.") }
  }
}

extension UInt8 {
  fileprivate var hexadecimal: UInt8? {
    switch self {
    case 0x30...0x39: self - 0x30
    case 0x41...0x46: self - 0x37
    case 0x61...0x66: self - 0x57
    default: nil
    }
  }
}
