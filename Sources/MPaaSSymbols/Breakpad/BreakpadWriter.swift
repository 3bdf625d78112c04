import MPaaSSupport

/// Writes the symbols of an image as a Breakpad symbol file, which is all that system libraries are kept for.
enum BreakpadWriter {
  /// The file, with a symbol without a name where one ends before the next begins; nil for an image without symbols.
  static func symbols(of image: any ObjectImage & SymbolListing, _ id: BuildID, name: String) -> Bytes? {
    let isMachO = image.format.rawValue.hasPrefix("mach")
    let module = BreakpadID(id, isMachO: isMachO).text
    let line = name.split(whereSeparator: \.isNewline).joined(separator: " ")
    var text = Array("MODULE \(isMachO ? "mac" : "Linux") \(image.architecture) \(module) \(line)\n".utf8)
    text += Array("INFO CODE_ID \(id.hex)\n".utf8)
    var count = 0
    var last: (address: UInt64, end: UInt64)?
    let base = image.loadAddress
    image.forEachSymbol { address, size, name in
      // The first of several names of one address is enough.
      guard address >= base, last?.address != address, !name.isEmpty, !name.contains(10) else { return }
      if let last, last.end > last.address, last.end < address { text.addPublic(last.end - base, nil) }
      text.addPublic(address - base, name)
      last = (address, address.addingReportingOverflow(size).overflow ? address : address + size)
      count += 1
    }
    if let last, last.end > last.address { text.addPublic(last.end - base, nil) }
    return count > 0 ? Bytes(text) : nil
  }
}

extension [UInt8] {
  /// `PUBLIC ADDRESS 0 NAME`.
  fileprivate mutating func addPublic(_ address: UInt64, _ name: UnsafeRawBufferPointer?) {
    append(contentsOf: "PUBLIC \(String(address, radix: 16)) 0 ".utf8)
    if let name { append(contentsOf: name) }
    append(10)
  }
}
