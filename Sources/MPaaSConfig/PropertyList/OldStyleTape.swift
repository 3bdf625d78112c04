import MPaaSSupport

/// The values of an old-style property list, one behind the other in the order of the text.
///
/// A container is followed by what it holds: an array by its values, a dictionary by a key, its value, the next key …
/// Nothing is decoded before it is asked for, so that large files are read fast and edited by where things stand.
package struct OldStyleTape: Sendable {
  package enum Kind: UInt8, Sendable {
    /// A string without quotes.
    case word
    /// A string in quotes.
    case quoted
    /// A string in quotes that has escapes.
    case escaped
    /// `<0fbd77>`
    case data
    /// GNUstep's typed values: `<*I5>`, `<*R1.5>`, `<*BY>`, `<*D2001-01-01 00:00:00 +0000>`, `<[base64]>`.
    case typed
    case dictionary
    case array
  }

  package struct Node: Sendable {
    package let kind: Kind
    /// The offset of its first byte: the quote, the bracket, the first letter.
    package let start: UInt32
    /// Behind its last byte.
    package internal(set) var end: UInt32
    /// The place on the tape behind it and all that it holds.
    package internal(set) var next: UInt32

    package var span: Range<Int> { Int(start)..<Int(end) }
  }

  /// The choice of characters that stand without quotes.
  package enum Words: Sendable {
    /// Letters, digits and `_ $ / : . -`, and all that is not ASCII.
    case apple
    /// More signs, as GNUstep has them.
    case gnustep
  }

  package let bytes: [UInt8]
  package let nodes: ContiguousArray<Node>
  /// Tells whether the root is a list of pairs without braces, as in `.strings` files; its first node spans the whole
  /// text.
  package let isPairs: Bool

  /// Reads UTF-8, with or without a byte order mark.
  ///
  /// - Parameter canBeEmpty: Whether a file without a value is an empty list of pairs.
  /// - Throws: `ConfigError` with line and column.
  package init(
    _ bytes: [UInt8], file: String, words: Words = .apple, canBeEmpty: Bool = false
  ) throws(ConfigError) {
    guard bytes.count < Int(Int32.max) else {
      throw ConfigError(.oldStyleTooLarge, ["file": file], at: .file(file))
    }
    var scanner = OldStyleScanner(count: bytes.count, words: words, canBeEmpty: canBeEmpty)
    var fault: OldStyleFault?
    bytes.withUnsafeBufferPointer { buffer in
      do throws(OldStyleFault) { try scanner.scan(buffer) } catch { fault = error }
    }
    if let fault { throw fault.error(in: bytes, file: file) }
    self.bytes = bytes
    nodes = scanner.nodes
    isPairs = scanner.isPairs
  }

  package func bytes(of node: Int) -> ArraySlice<UInt8> { bytes[nodes[node].span] }

  /// The content of a string.
  package func string(_ node: Int) -> String {
    let span = nodes[node].span
    switch nodes[node].kind {
    case .word: return String(decoding: bytes[span], as: UTF8.self)
    case .quoted: return String(decoding: bytes[inside(span)], as: UTF8.self)
    case .escaped: return OldStyleEscapes.decode(bytes[inside(span)])
    default: return String(decoding: bytes[span], as: UTF8.self)
    }
  }

  private func inside(_ span: Range<Int>) -> Range<Int> { span.lowerBound + 1..<span.upperBound - 1 }

  package func isString(_ node: Int) -> Bool {
    switch nodes[node].kind {
    case .word, .quoted, .escaped: true
    default: false
    }
  }

  /// The places on the tape of what a container holds: the values of an array, the keys of a dictionary.
  package func children(of node: Int) -> Children { Children(tape: self, container: node) }

  package struct Children: Sequence, IteratorProtocol, Sendable {
    private let tape: OldStyleTape
    private let isDictionary: Bool
    private let end: Int
    private var position: Int

    fileprivate init(tape: OldStyleTape, container: Int) {
      self.tape = tape
      let node = tape.nodes[container]
      isDictionary = node.kind == .dictionary
      end = node.kind == .dictionary || node.kind == .array ? Int(node.next) : container + 1
      position = container + 1
    }

    package mutating func next() -> Int? {
      guard position < end else { return nil }
      defer {
        // Behind a key stands its value.
        position = Int(tape.nodes[isDictionary ? position + 1 : position].next)
      }
      return position
    }
  }
}
