package import MPaaSSupport

/// A frame as it is written: texts as bytes, 0 for numbers that are unknown.
struct WrittenFrame {
  /// The name as the linker knows it, and as it is to be shown.
  var symbol: UnsafeRawBufferPointer?
  var function: UnsafeRawBufferPointer?
  var file: UnsafeRawBufferPointer?
  var line: UInt64 = 0
  var column: UInt64 = 0
  var discriminator: UInt64 = 0
  var offset: UInt64?
  var isInlined = false

  /// The start of the function of `address`, which has no name.
  func start(_ address: UInt64) -> UInt64? {
    symbol == nil ? offset.map { address &- $0 } : nil
  }
}

/// Writes the frames of addresses into a buffer that is handed on in large pieces.
package struct FrameWriter: ~Copyable {
  private let format: LookupFormat
  private let addressDigits: Int
  private var bytes = ByteSink(capacity: Self.full + 1 << 14)
  private var names: ShownNames

  private static let full = 1 << 16

  package init(format: LookupFormat, demangler: Demangler, addressSize: Int) {
    self.format = format
    addressDigits = addressSize * 2
    names = ShownNames(demangler)
  }

  package var isFull: Bool { bytes.count >= Self.full }

  /// Hands on what was written so far and forgets it.
  package mutating func flush(_ write: (UnsafeRawBufferPointer) -> Void) {
    if bytes.count > 0 { write(bytes.buffer) }
    bytes.truncate(to: 0)
  }

  /// Writes what a look-up tells about an address; from an index without making strings of it.
  ///
  /// - Throws: `Diagnostic` where the index is damaged and nothing else can answer.
  package mutating func add(_ address: UInt64, _ lookup: any FrameLookup) throws(Diagnostic) {
    guard let index = lookup.index else { return add(address, lookup.frames(at: address)) }
    let start = bytes.count
    begin(address)
    var count = 0
    let isIntact = index.file.forEachUnreadFrame(at: address) { frame in
      guard let written = written(frame, index.file) else { return false }
      put(written, address, number: count)
      count += 1
      return true
    }
    guard isIntact else {
      bytes.truncate(to: start)
      if index.isLost { throw Diagnostic("symbols-index-lost", exit: .inputMissing) }
      return add(address, index.direct.frames(at: address))
    }
    end(count)
  }

  /// The frame with its texts; nil where one of them is damaged.
  private mutating func written(_ frame: IndexedFrame, _ file: IndexFile) -> WrittenFrame? {
    var written = WrittenFrame(
      line: UInt64(frame.line), column: UInt64(frame.column), discriminator: UInt64(frame.discriminator),
      offset: frame.offset, isInlined: frame.isInlined)
    if frame.file != 0 {
      guard let path = file.text(frame.file) else { return nil }
      written.file = path
    }
    guard frame.name != 0 else { return written }
    // Only JSON has the linker's name too.
    if format != .json, let known = names.known(frame.name) {
      written.symbol = known
      written.function = known
    } else {
      guard let symbol = file.text(frame.name) else { return nil }
      written.symbol = symbol
      written.function = names.shown(symbol, frame.name)
    }
    return written
  }

  private mutating func add(_ address: UInt64, _ frames: [SourceFrame]) {
    begin(address)
    for (number, frame) in frames.enumerated() { put(frame, address, number) }
    end(frames.count)
  }

  private mutating func put(_ frame: SourceFrame, _ address: UInt64, _ number: Int) {
    var symbol = frame.symbol ?? ""
    var function = frame.symbol.map { names.shown($0) } ?? ""
    var file = frame.file ?? ""
    symbol.withUTF8 { symbol in
      function.withUTF8 { function in
        file.withUTF8 { file in
          put(
            WrittenFrame(
              symbol: frame.symbol == nil ? nil : UnsafeRawBufferPointer(symbol),
              function: frame.symbol == nil ? nil : UnsafeRawBufferPointer(function),
              file: frame.file == nil ? nil : UnsafeRawBufferPointer(file), line: UInt64(frame.line ?? 0),
              column: UInt64(frame.column ?? 0), discriminator: UInt64(frame.discriminator ?? 0),
              offset: frame.offset, isInlined: frame.isInlined), address, number: number)
        }
      }
    }
  }
}

// MARK: - Forms

extension FrameWriter {
  private mutating func begin(_ address: UInt64) {
    switch format {
    case .addr2line:
      bytes.put(hex: address, digits: addressDigits)
      bytes.put(UInt8(ascii: "\n"))
    case .pretty: bytes.put(hex: address)
    case .json:
      bytes.put("{\"address\":\"")
      bytes.put(hex: address)
      bytes.put("\",\"frames\":[")
    }
  }

  private mutating func put(_ frame: WrittenFrame, _ address: UInt64, number: Int) {
    switch format {
    case .addr2line: putLikeAddr2line(frame)
    case .pretty: putPretty(frame, address, isFirst: number == 0)
    case .json: putJSON(frame, address, isFirst: number == 0)
    }
  }

  private mutating func end(_ count: Int) {
    switch format {
    case .addr2line: if count == 0 { bytes.put("??\n??:0\n") }
    case .pretty: bytes.put(count == 0 ? "  ??\n" : "\n")
    case .json: bytes.put("]}\n")
    }
  }

  /// As `addr2line -afCi`: the address, then two lines for each frame.
  private mutating func putLikeAddr2line(_ frame: WrittenFrame) {
    bytes.put(frame.function, else: "??")
    bytes.put(UInt8(ascii: "\n"))
    bytes.put(frame.file, else: "??")
    bytes.put(UInt8(ascii: ":"))
    if frame.line > 0 {
      bytes.put(decimal: frame.line)
      if frame.discriminator > 0 {
        bytes.put(" (discriminator ")
        bytes.put(decimal: frame.discriminator)
        bytes.put(UInt8(ascii: ")"))
      }
    } else {
      bytes.put(UInt8(ascii: "?"))
    }
    bytes.put(UInt8(ascii: "\n"))
  }

  /// A line for each frame, those that inlined the one above set in.
  private mutating func putPretty(_ frame: WrittenFrame, _ address: UInt64, isFirst: Bool) {
    bytes.put(isFirst ? "  " : "\n    ↳ ")
    if let start = frame.start(address) {
      bytes.put("?? in the function at ")
      bytes.put(hex: start)
    } else {
      bytes.put(frame.function, else: "??")
    }
    if let offset = frame.offset, offset > 0 {
      bytes.put(UInt8(ascii: "+"))
      bytes.put(hex: offset)
    }
    guard let file = frame.file else { return }
    bytes.put("  ")
    bytes.put(file)
    for number in [frame.line, frame.column] where number > 0 {
      bytes.put(UInt8(ascii: ":"))
      bytes.put(decimal: number)
    }
  }

  /// One object a line; what is unknown is null, `offset` is there where only a symbol table knows the address.
  ///
  /// A function without a name has `start`, its own address.
  private mutating func putJSON(_ frame: WrittenFrame, _ address: UInt64, isFirst: Bool) {
    bytes.put(isFirst ? "{\"function\":" : ",{\"function\":")
    let start = bytes.count
    bytes.put(json: frame.function)
    let end = bytes.count
    bytes.put(",\"symbol\":")
    if frame.function?.baseAddress == frame.symbol?.baseAddress {
      bytes.putAgain(start..<end)
    } else {
      bytes.put(json: frame.symbol)
    }
    if let offset = frame.offset {
      bytes.put(",\"offset\":")
      bytes.put(decimal: offset)
    }
    if let start = frame.start(address) {
      bytes.put(",\"start\":\"")
      bytes.put(hex: start)
      bytes.put(UInt8(ascii: "\""))
    }
    bytes.put(",\"file\":")
    bytes.put(json: frame.file)
    bytes.put(",\"line\":")
    bytes.put(decimalOrNull: frame.line)
    bytes.put(",\"column\":")
    bytes.put(decimalOrNull: frame.column)
    bytes.put(frame.isInlined ? ",\"inlined\":true}" : ",\"inlined\":false}")
  }
}
