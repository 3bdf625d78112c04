import MPaaSSupport
package import MPaaSTrust

/// The reason why a text is not a Lua 5.4 program, and where.
package struct LuaSyntaxError: Error, Sendable, Equatable {
  package enum Kind: String, Sendable {
    /// Something else should stand there.
    case unexpected
    case unfinishedString = "unfinished-string"
    case unfinishedLongText = "unfinished-long-text"
    case malformedNumber = "malformed-number"
    case badEscape = "bad-escape"
    case unclosed
    case labelMissing = "label-missing"
    case labelTwice = "label-twice"
    case jumpIntoScope = "jump-into-scope"
    case breakOutsideLoop = "break-outside-loop"
    case varargOutside = "vararg-outside"
    case constAssigned = "const-assigned"
    case unknownAttribute = "unknown-attribute"
    case closeTwice = "close-twice"
    case limit
    // These have diagnostics of their own.
    case bytecode, tooLarge, tooDeep
  }

  package let kind: Kind
  /// The bytes of what stands there.
  package let range: Range<Int>
  /// The token there: a token as it is written, `<eof>`, or a name.
  package let found: String
  /// The expected token: a token in quotation marks, `<name>`, `<expression>`; of a limit, the number.
  package let expected: String
  /// The line, from 1, of what is to be closed; of a label that stands twice, of the first.
  package var openedAt: Int?

  package init(_ kind: Kind, _ range: Range<Int>, found: String = "", expected: String = "", openedAt: Int? = nil) {
    self.kind = kind
    self.range = range
    self.found = found
    self.expected = expected
    self.openedAt = openedAt
  }

  package var code: TrustError.Code {
    switch kind {
    case .bytecode: .luaBytecode
    case .tooLarge: .luaTooLarge
    case .tooDeep: .luaTooDeep
    default: .luaSyntax
    }
  }

  /// The values that the texts name.
  package var values: [String: String] {
    var values = ["found": found, "expected": expected]
    if let openedAt { values["opened"] = "\(openedAt)" }
    return values
  }
}

extension TrustError.Code {
  package static let luaBytecode = malformed("lua-bytecode")
  package static let luaSyntax = malformed("lua-syntax")
  package static let luaTooLarge = malformed("lua-too-large")
  package static let luaTooDeep = malformed("lua-too-deep")
}
