import MPaaSSupport
package import MPaaSTrust

/// One thing that the linter looks for; its texts are those of the diagnostic of the same name.
package enum LintRule: String, Sendable, CaseIterable, Codable {
  case bytecode = "lua-bytecode"
  case tooLarge = "lua-too-large"
  case tooDeep = "lua-too-deep"
  case syntax = "lua-syntax"
  case undeclaredGlobal = "lua-undeclared-global"
  case symbolUnknown = "lua-symbol-unknown"
  case signatureMismatch = "lua-signature-mismatch"
  case forbidden = "lua-forbidden"
  case moduleUnknown = "lua-module-unknown"
  case waxMisuse = "lua-wax-misuse"
  case missingReturn = "lua-missing-return"
  case compareTypes = "lua-compare-types"
  case endlessLoop = "lua-endless-loop"
  case unreachable = "lua-unreachable"
  case unusedLocal = "lua-unused-local"
  case shadowedLocal = "lua-shadowed-local"
  case trailingSpace = "lua-trailing-space"

  /// Tells whether a comment in the program may silence it.
  var canBeIgnored: Bool { ![.bytecode, .tooLarge, .tooDeep, .syntax].contains(self) }

  var code: TrustError.Code { .malformed(rawValue) }
}

extension TrustError.Code {
  fileprivate static func malformed(_ id: String) -> Self { malformed(DiagnosticID(id)) }
}

/// The weight of a finding: only errors make a patch refused.
package enum LintSeverity: String, Sendable, Codable, Comparable {
  case note, warning, error

  private var rank: Int {
    switch self {
    case .note: 0
    case .warning: 1
    case .error: 2
    }
  }

  package static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
}

/// Changes to a text that leave the program's meaning as it is.
package struct LintFix: Sendable, Equatable {
  package struct Edit: Sendable, Equatable {
    package var range: Range<Int>
    package var replacement: String
  }

  package var edits: [Edit]

  init(_ range: Range<Int>, _ replacement: String) {
    edits = [Edit(range: range, replacement: replacement)]
  }
}

/// Something in a program that is wrong or looks wrong.
package struct LintFinding: Sendable, Equatable {
  package let rule: LintRule
  package let severity: LintSeverity
  /// The variant of the rule's sentence, where it has several: `text.lint-RULE-VARIANT` holds it.
  package let variant: String?
  /// The values that the texts name.
  package let values: [String: String]
  /// The name of the file.
  package let file: String
  /// The bytes that it is about.
  package let range: Range<Int>
  package let start: LuaSource.Position
  package let end: LuaSource.Position
  package let fix: LintFix?

  /// The finding as an error that refuses the patch.
  package var error: TrustError {
    var values = values
    values["file"] = file
    return TrustError(rule.code, values, at: .text(file: file, line: start.line, column: start.column))
  }
}
