package import MPaaSSupport

/// Finds the texts that sources ask for.
package struct SourceExtraction: Sendable {
  private let swift: TextFunctions
  private let c: TextFunctions
  private let includesSwiftUI: Bool
  /// The declarations of the app's sources; nil where each is looked at by itself.
  private let declarations: SwiftDeclarations?

  package init(_ options: ExtractionOptions = ExtractionOptions()) { self.init(options, declarations: nil) }

  init(_ options: ExtractionOptions, declarations: SwiftDeclarations?) {
    swift = TextFunctions(.swift, options)
    c = TextFunctions(.c, options)
    includesSwiftUI = options.includesSwiftUI
    self.declarations = declarations
  }

  /// The texts that a source asks for; one in UTF-16 must begin with its mark.
  ///
  /// It never fails: what is no source of the language just says nothing.
  package func texts(in bytes: Bytes, file: String, language: SourceLanguage) -> SourceTexts {
    Self.decoded(bytes) { scan($0, file, language) }
  }

  /// The declarations of a source of Swift.
  static func declarations(in bytes: Bytes) -> SwiftDeclarations {
    decoded(bytes) { SwiftDeclarations(SwiftTokens($0)) }
  }

  private static func decoded<Result>(_ bytes: Bytes, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    let start = bytes.buffer.prefix(3)
    if start.starts(with: [0xff, 0xfe]) || start.starts(with: [0xfe, 0xff]) {
      let text = TextEncoding.utf16(isBig: start.first == 0xfe, hasMark: true).decode(bytes.array) ?? []
      return text.withUnsafeBufferPointer(body)
    }
    let found = bytes.buffer.withMemoryRebound(to: UInt8.self, body)
    return withExtendedLifetime(bytes) { found }
  }

  package func texts(in text: String, file: String, language: SourceLanguage) -> SourceTexts {
    Array(text.utf8).withUnsafeBufferPointer { scan($0, file, language) }
  }

  /// Tells whether the words `import SwiftUI` begin a line, behind attributes and modifiers.
  private static func importsSwiftUI(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    text.split(separator: 0x0a).contains { line in
      let words = line.split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }
      guard let at = words.firstIndex(where: { $0.elementsEqual("import".utf8) }), at + 1 < words.count else {
        return false
      }
      let isPlain = words[..<at].allSatisfy { word in
        word.first == UInt8(ascii: "@")
          || ["public", "package", "internal", "fileprivate", "private"].contains {
            word.elementsEqual($0.utf8)
          }
      }
      return isPlain && words[at + 1].elementsEqual("SwiftUI".utf8)
    }
  }

  /// A scanner with what the source, and where they were read, the others declare.
  private func swiftScanner(_ text: UnsafeBufferPointer<UInt8>, _ file: String) -> TextScanner {
    let tokens = SwiftTokens(text)
    let own = SwiftDeclarations(tokens)
    var all = declarations ?? .system
    if declarations == nil {
      if includesSwiftUI { all.append(.swiftUI) }
      all.append(own)
      all = all.ofKeys()
    }
    return TextScanner(
      text, file: file, language: .swift, functions: swift, types: DeclaredTypes(tokens, all),
      contexts: TextContexts(tokens, declarations: all, own: own, known: swift.unlabeled))
  }

  private func scan(
    _ text: UnsafeBufferPointer<UInt8>, _ file: String, _ language: SourceLanguage
  ) -> SourceTexts {
    var scanner =
      language == .swift
      ? swiftScanner(text, file)
      : TextScanner(text, file: file, language: language, functions: c)
    scanner.run()
    var result = SourceTexts()
    if language == .swift, !includesSwiftUI, Self.importsSwiftUI(text) { result.withoutSwiftUI = file }
    for found in scanner.found {
      switch found.item {
      case .text(let text): result.texts.append(text)
      case .dynamic(let dynamic): result.dynamic.append(dynamic)
      case .wrapper(let wrapper): result.wrappers.append(wrapper)
      }
    }
    return result
  }
}
