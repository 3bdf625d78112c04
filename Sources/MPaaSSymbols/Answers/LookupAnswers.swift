package import MPaaSSupport

/// Answers to addresses of one object, as they are asked for.
package struct LookupAnswers: ~Copyable {
  /// Hands over the lines that have come, each with its number from 1; false where no more will.
  package typealias Lines = (_ line: (Int, UnsafeRawBufferPointer) throws -> Void) throws -> Bool

  private let lookup: any FrameLookup
  private var writer: FrameWriter
  private let write: (UnsafeRawBufferPointer) -> Void

  /// - Parameter write: Takes what is written, piece by piece.
  package init(
    from object: OpenedObject, _ format: LookupFormat, _ demangler: Demangler,
    write: @escaping (UnsafeRawBufferPointer) -> Void
  ) {
    lookup = object.lookup
    writer = FrameWriter(format: format, demangler: demangler, addressSize: object.addressSize)
    self.write = write
  }

  /// Answers all of the addresses, or none.
  ///
  /// - Throws: `address-malformed` for what is none.
  package mutating func answer(_ addresses: [String]) throws(Diagnostic) {
    for text in addresses {
      guard let address = AddressText.parse(text) else {
        throw Diagnostic("address-malformed", ["address": text], exit: .usage)
      }
      try writer.add(address, lookup)
    }
    writer.flush(write)
  }

  /// Answers each line that has an address, as the lines come; those of white space alone are passed over.
  ///
  /// - Parameter name: That of the lines' source, which errors name.
  /// - Throws: `address-malformed` for a line that has something else; what came before it is answered.
  package mutating func answer(_ lines: Lines, named name: String) throws {
    while try lines({ number, line in try answer(line, number, name) }) {
      // A caller that waits for an answer before asking again gets it.
      writer.flush(write)
    }
  }

  private mutating func answer(_ line: UnsafeRawBufferPointer, _ number: Int, _ name: String) throws(Diagnostic) {
    if let address = AddressText.parse(line) {
      try writer.add(address, lookup)
      if writer.isFull { writer.flush(write) }
    } else if !line.allSatisfy({ $0 <= UInt8(ascii: " ") }) {
      writer.flush(write)
      throw Diagnostic(
        "address-malformed", ["address": String(utf8: UnsafeRawBufferPointer(rebasing: line.prefix(80)))],
        at: .text(file: name, line: number, column: nil), exit: .malformedInput)
    }
  }
}
