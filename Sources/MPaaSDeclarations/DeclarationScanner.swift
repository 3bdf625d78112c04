/// Finds the types that a source declares, without a compiler.
///
/// It knows strings, comments, attributes and conditions well enough never to take one for the other, and passes over
/// the bodies of functions. A source that does not compile gives what can be told of it; it never fails.
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

  /// The language that a file's name tells.
  package static func language(of file: String) -> TypeDeclaration.SourceLanguage {
    let ending = file.split(separator: ".").last?.lowercased()
    return ["h", "m", "mm", "pch"].contains(ending) ? .objectiveC : .swift
  }
}
