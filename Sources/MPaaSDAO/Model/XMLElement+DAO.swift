import MPaaSSupport
import MPaaSXML

extension XMLElement {
  init(name: String, attributes: [(name: String, value: String)], position: DAOPosition) {
    self.init(name: name, attributes: attributes, mark: XMLMark(position))
  }

  /// The place of its tag, as findings and compiled documents have it.
  var position: DAOPosition { DAOPosition(mark) }

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

extension XMLText {
  init(_ text: String, at position: DAOPosition) { self.init(text, at: XMLMark(position)) }

  mutating func append(_ part: some Collection<UInt8>, at position: DAOPosition) {
    append(part, at: XMLMark(position))
  }

  func position(at offset: Int) -> DAOPosition { DAOPosition(mark(at: offset)) }
}

extension DAOPosition {
  init(_ mark: XMLMark) { self.init(mark.line, mark.column) }
}

extension XMLMark {
  fileprivate init(_ position: DAOPosition) { self.init(position.line, position.column) }
}

extension DAOError {
  /// The same reason as a fault of a DAO document.
  init(_ error: XMLError) {
    self.init(
      .xml, error.values.merging(["cause": error.cause, "reason": error.reason]) { $1 }, at: DAOPosition(error.mark))
  }
}
