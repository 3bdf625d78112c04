import MPaaSSupport

/// Writes values as the XML of property lists, as Apple's tools lay it out.
struct PropertyListWriter {
  let file: String
  let newline: String
  /// What a level is indented by.
  let unit: String
  /// Whether the file's encoding has a character; others are written as references.
  let holds: (Unicode.Scalar) -> Bool

  /// The element of a value; lines after the first begin with `indent`.
  func element(_ value: PropertyListValue, indent: String) throws(ConfigError) -> String {
    switch value.content {
    case .dictionary(let members):
      guard !members.isEmpty else { return "<dict/>" }
      var text = "<dict>"
      for member in members { text += newline + indent + unit + (try self.member(member, indent: indent + unit)) }
      return text + newline + indent + "</dict>"
    case .array(let values):
      guard !values.isEmpty else { return "<array/>" }
      var text = "<array>"
      for value in values { text += newline + indent + unit + (try element(value, indent: indent + unit)) }
      return text + newline + indent + "</array>"
    case .string(let text): return "<string>" + (try escaped(text)) + "</string>"
    case .integer(let number): return "<integer>\(number)</integer>"
    case .real(let number): return "<real>\(Self.real(number))</real>"
    case .boolean(let value): return value ? "<true/>" : "<false/>"
    case .date(let date): return "<date>\(date)</date>"
    case .data(let bytes): return data(bytes, indent)
    case .uid(let number):
      return try element(.dictionary([("CF$UID", PropertyListValue(.integer(Int128(number))))]), indent: indent)
    }
  }

  /// A key and its value, each on a line of its own.
  func member(_ member: PropertyListMember, indent: String) throws(ConfigError) -> String {
    "<key>" + (try escaped(member.key)) + "</key>" + newline + indent + (try element(member.value, indent: indent))
  }

  private func data(_ bytes: [UInt8], _ indent: String) -> String {
    let digits = Array(Base64Text.encode(bytes).utf8)
    let lines = stride(from: 0, to: digits.count, by: 68).map {
      newline + indent + String(decoding: digits[$0..<min($0 + 68, digits.count)], as: UTF8.self)
    }
    return "<data>" + lines.joined() + newline + indent + "</data>"
  }

  private static func real(_ number: Double) -> String {
    number.isNaN ? "nan" : number.isInfinite ? (number < 0 ? "-infinity" : "+infinity") : "\(number)"
  }

  private func escaped(_ text: String) throws(ConfigError) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;".unicodeScalars
      case "<": result += "&lt;".unicodeScalars
      case ">": result += "&gt;".unicodeScalars
      case "\r": result += "&#13;".unicodeScalars
      case _ where (scalar.value < 0x20 && scalar != "\t" && scalar != "\n") || scalar.value & 0xfffe == 0xfffe:
        let code = String(scalar.value, radix: 16)
        let padded = String(repeating: "0", count: max(0, 4 - code.count)) + code
        throw ConfigError(.plistCharacter, ["file": file, "character": "U+" + padded], at: .file(file))
      case _ where !holds(scalar): result += "&#\(scalar.value);".unicodeScalars
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}

extension PropertyListDocument {
  /// A new document with Apple's header.
  package static func make(_ root: PropertyListValue, file: String) throws(ConfigError) -> PropertyListDocument {
    let writer = PropertyListWriter(file: file, newline: "\n", unit: "\t") { _ in true }
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      \(try writer.element(root, indent: ""))
      </plist>

      """
    return try PropertyListDocument(Array(text.utf8), file: file)
  }
}
