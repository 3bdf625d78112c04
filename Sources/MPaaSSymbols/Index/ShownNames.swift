import MPaaSSupport

/// Names as they are to be shown, each demangled once: they come again and again.
package struct ShownNames: ~Copyable {
  private let demangler: Demangler
  private var byText: [String: String] = [:]
  private var byOffset = PlacesByOffset()
  /// The shown names of an index, each behind its length; takes memory as it fills.
  private let texts: (bytes: Bytes, memory: UnsafeMutableRawBufferPointer)?
  private var used = 0
  private var last = ByteSink(capacity: 1 << 12)

  private static let mostNames = 1 << 17
  /// Names of a program of 250 MB take 36 MB.
  private static let mostBytes = 1 << 26

  package init(_ demangler: Demangler) {
    self.init(demangler, mostBytes: Self.mostBytes)
  }

  init(_ demangler: Demangler, mostBytes: Int) {
    self.demangler = demangler
    texts = demangler.mode == .none ? nil : Bytes.reserving(mostBytes)
  }

  package mutating func shown(_ symbol: String) -> String {
    if demangler.mode == .none { return symbol }
    if let known = byText[symbol] { return known }
    let name = demangler.demangle(symbol)
    if byText.count >= Self.mostNames { byText.removeAll(keepingCapacity: true) }
    byText[symbol] = name
    return name
  }

  /// The text that was shown for a name of an index before, so that its own need not be read; valid until the next call.
  ///
  /// - Parameter offset: Where the name stands in the index.
  package func known(_ offset: UInt32) -> UnsafeRawBufferPointer? {
    guard let place = byOffset[offset], let texts else { return nil }
    return Self.text(at: Int(place), in: texts.memory)
  }

  /// The shown name of an index's name; valid until the next call.
  ///
  /// - Parameter offset: Where the name stands in the index.
  package mutating func shown(_ symbol: UnsafeRawBufferPointer, _ offset: UInt32) -> UnsafeRawBufferPointer {
    if demangler.mode == .none || !symbol.mayBeMangled { return symbol }
    if let known = known(offset) { return known }
    var name = demangler.demangle(String(utf8: symbol))
    return name.withUTF8 { keep(UnsafeRawBufferPointer($0), offset) }
  }

  private static let lengthSize = MemoryLayout<UInt32>.size

  private static func text(at place: Int, in memory: UnsafeMutableRawBufferPointer) -> UnsafeRawBufferPointer {
    let count = memory.loadUnaligned(fromByteOffset: place, as: UInt32.self)
    let start = place + lengthSize
    return UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(memory)[start..<start + Int(count)])
  }

  private mutating func keep(_ name: UnsafeRawBufferPointer, _ offset: UInt32) -> UnsafeRawBufferPointer {
    let size = Self.lengthSize + name.count
    guard let memory = texts?.memory, size <= memory.count else {
      last.truncate(to: 0)
      last.put(name)
      return last.buffer
    }
    if size > memory.count - used {
      byOffset.removeAll()
      used = 0
    }
    memory.storeBytes(of: UInt32(name.count), toByteOffset: used, as: UInt32.self)
    UnsafeMutableRawBufferPointer(rebasing: memory[(used + Self.lengthSize)..<(used + size)]).copyMemory(from: name)
    byOffset.insert(offset, place: UInt32(used))
    defer { used += size }
    return Self.text(at: used, in: memory)
  }
}

extension UnsafeRawBufferPointer {
  /// True where the name begins like one of the languages that mangle: with `_` or `$`.
  fileprivate var mayBeMangled: Bool {
    first == UInt8(ascii: "_") || first == UInt8(ascii: "$")
  }
}
