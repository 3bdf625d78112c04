import MPaaSSymbols

/// Writes the frames of addresses into a buffer that is handed on in large pieces.
struct FrameWriter {
  private let format: LookupFormat
  private let demangler: Demangler
  private let addressDigits: Int
  private var bytes: [UInt8] = []
  /// Names come again and again.
  private var names: [String: String] = [:]

  private static let full = 1 << 16
  private static let mostNames = 1 << 17

  init(format: LookupFormat, demangler: Demangler, is64: Bool) {
    self.format = format
    self.demangler = demangler
    addressDigits = is64 ? 16 : 8
    bytes.reserveCapacity(Self.full + 4096)
  }

  var isFull: Bool { bytes.count >= Self.full }

  /// Gives what was written so far and forgets it.
  mutating func takeText() -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    bytes.removeAll(keepingCapacity: true)
    return text
  }

  mutating func add(_ address: UInt64, _ frames: [SourceFrame]) {
    switch format {
    case .addr2line: addLikeAddr2line(address, frames)
    case .pretty: addPretty(address, frames)
    case .json: addJSON(address, frames)
    }
  }

  private mutating func name(of frame: SourceFrame) -> String? {
    guard let symbol = frame.symbol, demangler.mode != .none else { return frame.symbol }
    if let known = names[symbol] { return known }
    let name = demangler.demangle(symbol)
    if names.count >= Self.mostNames { names.removeAll(keepingCapacity: true) }
    names[symbol] = name
    return name
  }

  private mutating func put(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  private mutating func put(hex value: UInt64, digits: Int = 1) {
    let text = String(value, radix: 16)
    put("0x")
    for _ in 0..<max(digits - text.utf8.count, 0) { bytes.append(UInt8(ascii: "0")) }
    put(text)
  }
}

// MARK: - Forms

extension FrameWriter {
  /// As `addr2line -afCi`: the address, then two lines for each frame.
  private mutating func addLikeAddr2line(_ address: UInt64, _ frames: [SourceFrame]) {
    put(hex: address, digits: addressDigits)
    put("\n")
    if frames.isEmpty { put("??\n??:0\n") }
    for frame in frames {
      put(name(of: frame) ?? "??")
      put("\n")
      put(frame.file ?? "??")
      put(":")
      put(frame.line.map(String.init) ?? "?")
      if let discriminator = frame.discriminator, frame.line != nil { put(" (discriminator \(discriminator))") }
      put("\n")
    }
  }

  /// A line for each frame, those that inlined the one above set in.
  private mutating func addPretty(_ address: UInt64, _ frames: [SourceFrame]) {
    put(hex: address)
    if frames.isEmpty { put("  ??") }
    for (index, frame) in frames.enumerated() {
      put(index == 0 ? "  " : "\n    ↳ ")
      put(name(of: frame) ?? "??")
      if let offset = frame.offset, offset > 0 {
        put("+")
        put(hex: offset)
      }
      guard let file = frame.file else { continue }
      put("  ")
      put(file)
      if let line = frame.line { put(":\(line)") }
      if let column = frame.column { put(":\(column)") }
    }
    put("\n")
  }

  /// One object a line; what is unknown is null, `offset` is there where only a symbol table knows the address.
  private mutating func addJSON(_ address: UInt64, _ frames: [SourceFrame]) {
    put("{\"address\":\"")
    put(hex: address)
    put("\",\"frames\":[")
    for (index, frame) in frames.enumerated() {
      put(index == 0 ? "{\"function\":" : ",{\"function\":")
      put(json: name(of: frame))
      put(",\"symbol\":")
      put(json: frame.symbol)
      if let offset = frame.offset { put(",\"offset\":\(offset)") }
      put(",\"file\":")
      put(json: frame.file)
      put(",\"line\":\(frame.line.map(String.init) ?? "null")")
      put(",\"column\":\(frame.column.map(String.init) ?? "null")")
      put(",\"inlined\":\(frame.isInlined)}")
    }
    put("]}\n")
  }

  private mutating func put(json text: String?) {
    guard let text else { return put("null") }
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0..<0x20:
        let digits = String(byte, radix: 16)
        put(digits.utf8.count == 1 ? "\\u000\(digits)" : "\\u00\(digits)")
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
