import MPaaSSupport

/// Writes a property list as JSON.
struct PropertyListJSONWriter {
  let file: String
  /// Tells whether the types that JSON lacks are marked: `{"$data": …}`, `{"$date": …}`, `{"$uid": …}`, `{"$real": …}`.
  ///
  /// Otherwise data is its base64, a date its text, a reference of a keyed archive a dictionary of `CF$UID`.
  let isTagged: Bool
  /// The indentation of one level; nil for all on one line.
  let unit: String?
  let newline: String
  /// The text between a name and its value.
  let colon: String
  private var output: [UInt8] = []
  private var margin: [UInt8] = []

  init(
    file: String, isTagged: Bool = false, unit: String? = "  ", newline: String = "\n", colon: String? = nil
  ) {
    self.file = file
    self.isTagged = isTagged
    self.unit = unit
    self.newline = newline
    self.colon = colon ?? (unit == nil ? ":" : ": ")
  }

  static let tags: Set<String> = ["$data", "$date", "$uid", "$real", "$dictionary"]

  /// The text of a value; lines after the first begin with `indent`.
  func text(_ value: PropertyListValue, indent: String = "") throws(ConfigError) -> [UInt8] {
    var writer = self
    writer.margin = unit == nil ? [] : Array((newline + indent).utf8)
    try writer.append(value)
    return writer.output
  }

  /// A name and its value.
  func text(_ member: PropertyListMember, indent: String) throws(ConfigError) -> [UInt8] {
    var writer = self
    writer.margin = unit == nil ? [] : Array((newline + indent).utf8)
    try writer.append(member)
    return writer.output
  }

  private mutating func append(_ member: PropertyListMember) throws(ConfigError) {
    Self.append(quoting: member.key, to: &output)
    output += colon.utf8
    try append(member.value)
  }

  private mutating func append(_ value: PropertyListValue) throws(ConfigError) {
    switch value.content {
    case .dictionary(let members):
      let needsTag = isTagged && members.count == 1 && members.first.map { Self.tags.contains($0.key) } == true
      if needsTag {
        return try append(tag: "$dictionary") { (writer) throws(ConfigError) in try writer.append(object: members) }
      }
      try append(object: members)
    case .array(let values):
      output.append(0x5b)
      let outer = margin
      margin += (unit ?? "").utf8
      for (index, value) in values.enumerated() {
        if index > 0 { output.append(0x2c) }
        output += margin
        try append(value)
      }
      margin = outer
      if !values.isEmpty { output += margin }
      output.append(0x5d)
    default: try append(leaf: value.content)
    }
  }

  private mutating func append(object members: [PropertyListMember]) throws(ConfigError) {
    output.append(0x7b)
    let outer = margin
    margin += (unit ?? "").utf8
    for (index, member) in members.enumerated() {
      if index > 0 { output.append(0x2c) }
      output += margin
      try append(member)
    }
    margin = outer
    if !members.isEmpty { output += margin }
    output.append(0x7d)
  }

  private mutating func append(
    tag: String, _ write: (inout PropertyListJSONWriter) throws(ConfigError) -> Void
  ) throws(ConfigError) {
    output.append(0x7b)
    Self.append(quoting: tag, to: &output)
    output += colon.utf8
    try write(&self)
    output.append(0x7d)
  }

  private mutating func append(tag: String, text: String) {
    output.append(0x7b)
    Self.append(quoting: tag, to: &output)
    output += colon.utf8
    Self.append(quoting: text, to: &output)
    output.append(0x7d)
  }

  private mutating func append(leaf content: PropertyListValue.Content) throws(ConfigError) {
    switch content {
    case .string(let text): Self.append(quoting: text, to: &output)
    case .integer(let number):
      guard let text = PropertyListNumber.text(number) else { throw inexpressible("\(number)") }
      output += text.utf8
    case .real(let number) where isTagged: append(tag: "$real", text: PropertyListNumber.text(number))
    case .real(let number):
      guard number.isFinite else { throw inexpressible("\(number)") }
      output += number.description.utf8
    case .boolean(let value): output += (value ? "true" : "false").utf8
    case .date(let date) where isTagged: append(tag: "$date", text: date.description)
    case .date(let date): Self.append(quoting: date.description, to: &output)
    case .data(let bytes) where isTagged: append(tag: "$data", text: Base64.encode(bytes))
    case .data(let bytes): Self.append(quoting: Base64.encode(bytes), to: &output)
    case .uid(let number):
      output.append(0x7b)
      Self.append(quoting: isTagged ? "$uid" : "CF$UID", to: &output)
      output += colon.utf8
      output += String(number).utf8
      output.append(0x7d)
    case .dictionary, .array: break
    }
  }

  private func inexpressible(_ value: String) -> ConfigError {
    ConfigError(.plistInexpressible, ["file": file, "value": value, "format": "JSON"], at: .file(file))
  }

  /// A string in quotes; control characters are escaped, all else stands as it is.
  static func append(quoting text: String, to output: inout [UInt8]) {
    var text = text
    output.append(0x22)
    text.withUTF8 { bytes in
      var start = 0
      for position in 0..<bytes.count {
        let byte = bytes[position]
        guard byte < 0x20 || byte == 0x22 || byte == 0x5c || byte == 0x7f else { continue }
        output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<position]))
        start = position + 1
        output.append(0x5c)
        switch byte {
        case 0x22, 0x5c: output.append(byte)
        case 0x0a: output.append(0x6e)
        case 0x0d: output.append(0x72)
        case 0x09: output.append(0x74)
        default:
          output += ("u" + byte.padded(to: 4, radix: 16)).utf8
        }
      }
      output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start...]))
    }
    output.append(0x22)
  }
}
