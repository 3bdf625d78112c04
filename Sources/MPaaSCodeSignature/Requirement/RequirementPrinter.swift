import MPaaSSupport

/// Prints the expression of a requirement.
///
/// Source: Apple's Security framework, `requirement.h` (`ExprOp`, `MatchOperation`); the text's form is that of `csreq -t`.
struct RequirementPrinter {
  private enum Operation: UInt32 {
    case never, always, identifier, appleAnchor, anchorHash, infoValue, and, or, cdhash, not, infoField,
      certificateField, trustedCertificate, trustedAnchor, certificateExtension, appleGenericAnchor, entitlement,
      certificatePolicy, namedAnchor, namedCode, platform, notarized, certificateDate, legacyDeveloperID
  }

  /// The strength by which parts hold together, from the tightest to the loosest.
  private enum Level: Int {
    case primary, and, or, top
  }

  private static let deepest = 64
  /// The most operations, as two-branched ones may stand for each word.
  private static let mostOperations = 4_096
  /// Marks of operations that a system may pass over.
  private static let isFalseWhereUnknown: UInt32 = 0x8000_0000
  private static let isSkippedWhereUnknown: UInt32 = 0x4000_0000

  private var reader: RequirementReader
  private var text = ""
  private var depth = 0
  private var operations = 0

  static func text(of blob: SignatureBlob) throws(CodeSignatureError) -> String {
    var printer = RequirementPrinter(reader: RequirementReader(blob.content, base: blob.offset &+ 8))
    // The form: 1 is an expression.
    let form = try printer.reader.word()
    guard form == 1 else { throw CodeSignatureError(.badRequirement, offset: blob.offset &+ 8, value: UInt64(form)) }
    try printer.expression(.top)
    guard printer.reader.isAtEnd else { throw printer.reader.error(.badRequirement) }
    return printer.text
  }

  private init(reader: RequirementReader) { self.reader = reader }

  private mutating func expression(_ level: Level) throws(CodeSignatureError) {
    guard depth < Self.deepest, operations < Self.mostOperations else { throw reader.error(.tooMany) }
    depth += 1
    operations += 1
    defer { depth -= 1 }
    let word = try reader.word()
    guard let operation = Operation(rawValue: word & 0x00ff_ffff), word & 0xff00_0000 == 0 else {
      return try unknown(word)
    }
    switch operation {
    case .and: try joined(" and ", .and, in: level)
    case .or: try joined(" or ", .or, in: level)
    case .not:
      text += "! "
      try expression(.primary)
    case .never: text += "never"
    case .always: text += "always"
    case .appleAnchor: text += "anchor apple"
    case .appleGenericAnchor: text += "anchor apple generic"
    case .trustedAnchor: text += "anchor trusted"
    case .notarized: text += "notarized"
    case .legacyDeveloperID: text += "legacy"
    case .platform: text += "platform = \(try reader.word())"
    default: try named(operation)
    }
  }

  private mutating func joined(_ word: String, _ own: Level, in level: Level) throws(CodeSignatureError) {
    let isInParentheses = level.rawValue < own.rawValue
    if isInParentheses { text += "(" }
    try expression(own)
    text += word
    try expression(own)
    if isInParentheses { text += ")" }
  }

  private mutating func named(_ operation: Operation) throws(CodeSignatureError) {
    switch operation {
    case .identifier: text += "identifier " + RequirementText.value(try reader.data())
    case .cdhash: text += "cdhash H\"\(try reader.data().array.hexadecimal)\""
    case .anchorHash: text += try certificate() + " = H\"\(try reader.data().array.hexadecimal)\""
    case .trustedCertificate: text += try certificate() + " trusted"
    case .namedAnchor: text += "anchor apple " + RequirementText.value(try reader.data())
    case .namedCode: text += "(\(RequirementText.value(try reader.data())))"
    case .infoValue:
      text += "info[\(RequirementText.key(try reader.data()))] = " + RequirementText.value(try reader.data())
    case .infoField: text += "info[\(RequirementText.key(try reader.data()))]" + (try match())
    case .entitlement: text += "entitlement[\(RequirementText.key(try reader.data()))]" + (try match())
    case .certificateField: text += try certificate() + "[\(RequirementText.key(try reader.data()))]" + match()
    case .certificateExtension: try certificate(part: "field")
    case .certificatePolicy: try certificate(part: "policy")
    case .certificateDate: try certificate(part: "timestamp")
    default: throw reader.error(.badRequirement)
    }
  }

  private mutating func certificate(part: String) throws(CodeSignatureError) {
    let certificate = try certificate()
    text += "\(certificate)[\(part).\(RequirementText.identifier(try reader.data()))]" + (try match())
  }

  /// The certificate of the chain: the signer's is 0, the root's -1.
  private mutating func certificate() throws(CodeSignatureError) -> String {
    let number = Int32(bitPattern: try reader.word())
    return "certificate " + (number == 0 ? "leaf" : number == -1 ? "root" : "\(number)")
  }

  private static let matchSigns: [UInt32: String] = [5: " < ", 6: " > ", 7: " <= ", 8: " >= "]
  private static let timeSigns: [UInt32: String] = [9: " = ", 10: " < ", 11: " > ", 12: " <= ", 13: " >= "]

  private mutating func match() throws(CodeSignatureError) -> String {
    let kind = try reader.word()
    switch kind {
    case 0: return " /* exists */"
    case 14: return " absent "
    case 1: return " = " + RequirementText.value(try reader.data())
    case 2: return " ~ " + RequirementText.value(try reader.data())
    case 3: return " = " + RequirementText.value(try reader.data()) + "*"
    case 4: return " = *" + RequirementText.value(try reader.data())
    default:
      if let sign = Self.matchSigns[kind] { return sign + RequirementText.value(try reader.data()) }
      guard let sign = Self.timeSigns[kind] else { throw reader.error(.badRequirement, value: UInt64(kind)) }
      return sign + "timestamp \"\(RequirementText.time(secondsSince2001: Int64(bitPattern: try reader.longWord())))\""
    }
  }

  private mutating func unknown(_ word: UInt32) throws(CodeSignatureError) {
    guard word & (Self.isFalseWhereUnknown | Self.isSkippedWhereUnknown) != 0 else {
      throw reader.error(.badRequirement, value: UInt64(word))
    }
    _ = try reader.data()
    if word & Self.isFalseWhereUnknown != 0 {
      text += "false /* opcode \(word & 0x00ff_ffff) */"
    } else {
      text += "/* opcode \(word & 0x00ff_ffff) */"
      try expression(.primary)
    }
  }
}
