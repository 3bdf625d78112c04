import MPaaSDeclarations
import MPaaSSupport

/// A service or a micro-app that a source asks for, by its name or by its protocol.
package struct ServiceCall: Sendable, Equatable {
  package enum Subject: Sendable, Hashable {
    /// A text: `findServiceByName:@"cart"`, `service(named: "cart")`, `startApplication:@"20000001"`.
    case name(String)
    /// A type: `service(for: (any CartService).self)`, `createService:@protocol(CartService)`.
    case interface(String)
  }

  package let subject: Subject
  package let line: Int
  package let column: Int
}

/// Finds what a source asks the framework for, as far as it can be seen without a compiler.
///
/// A call counts where its line, or the one before, names a service or an application in a function or a property
/// wrapper. Comments do not count.
package struct ServiceCallScanner {
  private let bytes: [UInt8]
  private var offset = 0
  private var line = 1
  private var lineStart = 0
  /// The lines on which something about services or applications was named last.
  private var hintLine = -1
  private var calls: [ServiceCall] = []
  /// The word before the one that is read now.
  private var before = ""

  package static func calls(in source: [UInt8]) -> [ServiceCall] {
    var scanner = ServiceCallScanner(source)
    scanner.scan()
    return scanner.calls
  }

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  private mutating func scan() {
    while offset < bytes.count {
      let byte = bytes[offset]
      switch byte {
      case 0x0a:
        advance()
      case 0x2f where next == 0x2f:
        while offset < bytes.count, bytes[offset] != 0x0a { offset += 1 }
      case 0x2f where next == 0x2a:
        skipComment()
      case 0x22:
        readString()
      case _ where Self.isWord(byte):
        readWord()
      default:
        offset += 1
      }
    }
  }

  private var next: UInt8 { offset + 1 < bytes.count ? bytes[offset + 1] : 0 }

  private mutating func advance() {
    if bytes[offset] == 0x0a {
      line += 1
      lineStart = offset + 1
    }
    offset += 1
  }

  /// Swift's comments nest; Objective-C's that look as if they did are rare.
  private mutating func skipComment() {
    var depth = 0
    while offset < bytes.count {
      if bytes[offset] == 0x2f, next == 0x2a {
        depth += 1
        offset += 2
      } else if bytes[offset] == 0x2a, next == 0x2f {
        depth -= 1
        offset += 2
        if depth == 0 { return }
      } else {
        advance()
      }
    }
  }

  private mutating func readString() {
    let column = offset - lineStart + 1
    let start = line
    offset += 1
    var text: [UInt8] = []
    while offset < bytes.count, bytes[offset] != 0x22, bytes[offset] != 0x0a {
      if bytes[offset] == 0x5c { offset += 1 }
      if offset < bytes.count {
        text.append(bytes[offset])
        offset += 1
      }
    }
    if offset < bytes.count, bytes[offset] == 0x22 { offset += 1 }
    guard !text.isEmpty, line - hintLine <= 1 else { return }
    calls.append(ServiceCall(subject: .name(String(decoding: text, as: UTF8.self)), line: start, column: column))
  }

  private mutating func readWord() {
    let start = offset
    while offset < bytes.count, Self.isWord(bytes[offset]) { offset += 1 }
    let word = String(decoding: bytes[start..<offset], as: UTF8.self)
    let lower = word.lowercased()
    let hasAt = start > 0 && bytes[start - 1] == 0x40
    let isSmall = word.first?.isUppercase == false
    // A type that is named for what it is does not ask for anything: `class CartService`, `import ServiceKit`.
    let isDeclared = Self.declaring.contains(before)
    let isCall = lower.has("service") || lower.has("application") || lower == "start" || lower == "launch"
    if isCall, !isDeclared, isSmall || hasAt { hintLine = line }
    if line - hintLine <= 1, !isSmall, !hasAt, isType(from: start) {
      calls.append(ServiceCall(subject: .interface(word), line: line, column: start - lineStart + 1))
    }
    before = hasAt ? "@" + word : word
  }

  private static let declaring: Set<String> = [
    "class", "protocol", "import", "struct", "actor", "enum", "extension", "@interface", "@implementation", "@protocol",
  ]

  /// Tells whether a word stands for a type itself: `P.self`, `(any P).self`, `@protocol(P)`.
  private func isType(from start: Int) -> Bool {
    var end = offset
    while end < bytes.count, bytes[end] == 0x29 || bytes[end] == 0x20 { end += 1 }
    return bytes[end...].starts(with: ".self".utf8) || bytes[..<start].suffix(10).elementsEqual("@protocol(".utf8)
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte) || byte == 0x5f
      || byte >= 0x80
  }
}
