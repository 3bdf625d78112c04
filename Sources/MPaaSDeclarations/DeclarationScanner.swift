/// Finds the types that a source declares, without a compiler.
///
/// It knows strings, comments, attributes and conditions well enough never to take one for the other, and passes over the
/// bodies of functions. A source that does not compile gives what can be told of it; it never fails.
package enum DeclarationScanner {
  /// The declarations in the order of the source; those inside of others behind the ones that they stand in.
  ///
  /// - Parameter file: Its ending says the language where none is given: `.h`, `.m`, `.mm` are Objective-C.
  package static func scan(
    _ bytes: [UInt8], file: String, language: TypeDeclaration.SourceLanguage? = nil
  ) -> [TypeDeclaration] {
    bytes.withUnsafeBufferPointer { buffer in
      switch language ?? self.language(of: file) {
      case .swift:
        var scanner = SwiftScanner(buffer)
        return scanner.scan()
      case .objectiveC:
        var scanner = ObjectiveCScanner(buffer)
        return scanner.scan()
      }
    }
  }

  /// What a file's name says of its language.
  package static func language(of file: String) -> TypeDeclaration.SourceLanguage {
    let ending = file.split(separator: ".").last?.lowercased()
    return ["h", "m", "mm", "pch"].contains(ending) ? .objectiveC : .swift
  }
}

/// Line and column of offsets that are asked for in rising order, or any.
struct SourceLines {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var offset = 0
  private var line = 1
  private var lineStart = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// Line and column from 1; the column counts bytes, as compilers do.
  mutating func position(of target: Int) -> (line: Int, column: Int) {
    if target < offset { (offset, line, lineStart) = (0, 1, 0) }
    while offset < target {
      if bytes[offset] == 0x0a {
        line += 1
        lineStart = offset + 1
      }
      offset += 1
    }
    return (line, target - lineStart + 1)
  }
}
