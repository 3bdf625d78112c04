import MPaaSSupport

extension XMLElement {
  /// Tells whether a text or an attribute inside has the letters of a word, small or great.
  func has(_ word: String) -> Bool {
    attributes.contains { $0.value.lowercased().has(word) }
      || children.contains { child in
        switch child {
        case .element(let element): element.has(word)
        case .text(let text): String(decoding: text.bytes, as: UTF8.self).lowercased().has(word)
        }
      }
  }
}
