import MPaaSSupport

/// Writes values as the XML of property lists, as Apple's tools lay it out.
struct PropertyListWriter {
  let file: String
  private let newline: [UInt8]
  /// The indentation of one level.
  private let unit: [UInt8]
  /// Tells whether the file's encoding has a character, nil where it has all; others are written as references.
  private let holds: ((Unicode.Scalar) -> Bool)?
  private var output: [UInt8] = []
  /// The end of a line and the indentation of the next.
  private var margin: [UInt8] = []

  init(file: String, newline: String = "\n", unit: String = "\t", holds: ((Unicode.Scalar) -> Bool)? = nil) {
    self.file = file
    self.newline = Array(newline.utf8)
    self.unit = Array(unit.utf8)
    self.holds = holds
  }

  /// The element of a value; lines after the first begin with `indent`.
  func element(_ value: PropertyListValue, indent: String) throws(ConfigError) -> String {
    var writer = self
    writer.margin = newline + Array(indent.utf8)
    try writer.append(value)
    return String(decoding: writer.output, as: UTF8.self)
  }

  /// A key and its value, each on a line of its own.
  func member(_ member: PropertyListMember, indent: String) throws(ConfigError) -> String {
    var writer = self
    writer.margin = newline + Array(indent.utf8)
    try writer.append(member)
    return String(decoding: writer.output, as: UTF8.self)
  }

  /// A whole file with Apple's header.
  static func document(_ root: PropertyListValue, file: String, newline: String = "\n") throws(ConfigError) -> [UInt8] {
    var writer = PropertyListWriter(file: file, newline: newline)
    writer.margin = writer.newline
    writer.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>")
    writer.output += writer.newline
    writer.append(
      "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">")
    writer.output += writer.newline
    writer.append("<plist version=\"1.0\">")
    writer.output += writer.newline
    try writer.append(root)
    writer.output += writer.newline
    writer.append("</plist>")
    writer.output += writer.newline
    return writer.output
  }

  private mutating func append(_ word: StaticString) {
    output.append(contentsOf: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
  }

  private mutating func append(_ member: PropertyListMember) throws(ConfigError) {
    append("<key>")
    try append(escaping: member.key)
    append("</key>")
    output += margin
    try append(member.value)
  }

  private mutating func append(_ value: PropertyListValue) throws(ConfigError) {
    switch value.content {
    case .dictionary(let members):
      guard !members.isEmpty else { return append("<dict/>") }
      append("<dict>")
      margin += unit
      for member in members {
        output += margin
        try append(member)
      }
      margin.removeLast(unit.count)
      output += margin
      append("</dict>")
    case .array(let values):
      guard !values.isEmpty else { return append("<array/>") }
      append("<array>")
      margin += unit
      for value in values {
        output += margin
        try append(value)
      }
      margin.removeLast(unit.count)
      output += margin
      append("</array>")
    case .uid(let number):
      try append(PropertyListValue.dictionary([("CF$UID", PropertyListValue(.integer(PropertyListInteger(number))))]))
    default: try append(leaf: value.content)
    }
  }

  private mutating func append(leaf content: PropertyListValue.Content) throws(ConfigError) {
    switch content {
    case .string(let text):
      append("<string>")
      try append(escaping: text)
      append("</string>")
    case .integer(let number):
      guard let text = PropertyListNumber.text(number) else {
        throw ConfigError(.plistInexpressible, ["file": file, "value": "\(number)", "format": "XML"], at: .file(file))
      }
      append("<integer>")
      output += text.utf8
      append("</integer>")
    case .real(let number):
      append("<real>")
      output += PropertyListNumber.text(number).utf8
      append("</real>")
    case .boolean(let value): append(value ? "<true/>" : "<false/>")
    case .date(let date):
      append("<date>")
      output += date.description.utf8
      append("</date>")
    case .data(let bytes):
      append("<data>")
      for start in stride(from: 0, to: bytes.count, by: 51) {
        output += margin
        output += Base64.digits(bytes[start..<min(start + 51, bytes.count)])
      }
      output += margin
      append("</data>")
    case .dictionary, .array, .uid: break
    }
  }

  private mutating func append(escaping text: String) throws(ConfigError) {
    guard holds == nil else { return try appendScalars(text) }
    var text = text
    let refused = text.withUTF8 { bytes -> Unicode.Scalar? in
      var start = 0
      for position in 0..<bytes.count {
        let byte = bytes[position]
        let entity: StaticString
        switch byte {
        case 0x26: entity = "&amp;"
        case 0x3c: entity = "&lt;"
        case 0x3e: entity = "&gt;"
        case 0x0d: entity = "&#13;"
        case 0x09, 0x0a: continue
        case 0..<0x20: return Unicode.Scalar(byte)
        case 0xef where bytes[position + 1] == 0xbf && bytes[position + 2] >= 0xbe:
          return Unicode.Scalar(0xff00 | UInt32(bytes[position + 2]) + 0x40)
        default: continue
        }
        output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<position]))
        append(entity)
        start = position + 1
      }
      output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start...]))
      return nil
    }
    if let refused { throw refusal(of: refused) }
  }

  private mutating func appendScalars(_ text: String) throws(ConfigError) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": append("&amp;")
      case "<": append("&lt;")
      case ">": append("&gt;")
      case "\r": append("&#13;")
      case _ where scalar.value < 0x20 && scalar != "\t" && scalar != "\n" || scalar.value | 1 == 0xffff:
        throw refusal(of: scalar)
      case _ where holds?(scalar) == false: output += "&#\(scalar.value);".utf8
      default: output += String(scalar).utf8
      }
    }
  }

  private func refusal(of scalar: Unicode.Scalar) -> ConfigError {
    let code = "U+" + scalar.value.padded(to: 4, radix: 16)
    return ConfigError(.plistCharacter, ["file": file, "character": code], at: .file(file))
  }
}

extension PropertyListDocument {
  /// A new document with Apple's header.
  package static func make(_ root: PropertyListValue, file: String) throws(ConfigError) -> PropertyListDocument {
    try PropertyListDocument(try PropertyListWriter.document(root, file: file), file: file)
  }
}
