import CLibYAML
import MPaaSJSON
import MPaaSSupport

/// One step of a YAML text, as libyaml finds it.
enum YAMLEvent {
  case streamStart
  case streamEnd
  case documentStart
  case documentEnd
  case alias(String)
  case scalar(YAMLScalar)
  case sequenceStart(anchor: String?, tag: String?)
  case sequenceEnd
  case mappingStart(anchor: String?, tag: String?)
  case mappingEnd
}

/// A value without parts, before its type is known.
struct YAMLScalar {
  let text: String
  let anchor: String?
  let tag: String?
  /// True where it stands without quotes, so that its type follows from its letters.
  let isPlain: Bool
}

/// Reads the events of a text one after another.
final class YAMLEventReader {
  private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
  private let input: UnsafeMutableBufferPointer<UInt8>
  private let isReady: Bool
  let file: String

  init(_ bytes: [UInt8], file: String) {
    input = .allocate(capacity: max(1, bytes.count))
    _ = input.initialize(from: bytes)
    self.file = file
    isReady = yaml_parser_initialize(parser) == 1
    if isReady { yaml_parser_set_input_string(parser, input.baseAddress, bytes.count) }
  }

  deinit {
    if isReady { yaml_parser_delete(parser) }
    parser.deallocate()
    input.deallocate()
  }

  /// The next event and its place.
  ///
  /// - Throws: `YAMLError` where the text breaks the grammar; nothing may be read after that.
  func next() throws(YAMLError) -> (event: YAMLEvent, position: TextPosition) {
    guard isReady else { throw YAMLError(.syntax, ["problem": "out of memory"], at: .file(file)) }
    var event = yaml_event_t()
    guard yaml_parser_parse(parser, &event) == 1 else { throw problem() }
    defer { yaml_event_delete(&event) }
    return (try Self.read(event), Self.position(event.start_mark))
  }

  private func problem() -> YAMLError {
    let mark = parser.pointee.error == YAML_READER_ERROR ? parser.pointee.mark : parser.pointee.problem_mark
    let text = parser.pointee.problem.map { String(cString: $0) } ?? "out of memory"
    return YAMLError(.syntax, ["problem": text], at: place(Self.position(mark)))
  }

  func place(_ position: TextPosition) -> Place {
    .text(file: file, line: position.line, column: position.column)
  }

  private static func position(_ mark: yaml_mark_t) -> TextPosition {
    TextPosition(line: Int(mark.line) + 1, column: Int(mark.column) + 1)
  }

  private static func read(_ event: yaml_event_t) throws(YAMLError) -> YAMLEvent {
    switch event.type {
    case YAML_STREAM_START_EVENT: return .streamStart
    case YAML_DOCUMENT_START_EVENT: return .documentStart
    case YAML_DOCUMENT_END_EVENT: return .documentEnd
    case YAML_ALIAS_EVENT: return .alias(text(event.data.alias.anchor) ?? "")
    case YAML_SCALAR_EVENT:
      let scalar = event.data.scalar
      let bytes = UnsafeBufferPointer(start: scalar.value, count: Int(scalar.length))
      return .scalar(
        YAMLScalar(
          text: String(decoding: bytes, as: UTF8.self), anchor: text(scalar.anchor), tag: text(scalar.tag),
          isPlain: scalar.plain_implicit != 0 && scalar.style == YAML_PLAIN_SCALAR_STYLE))
    case YAML_SEQUENCE_START_EVENT:
      let start = event.data.sequence_start
      return .sequenceStart(anchor: text(start.anchor), tag: text(start.tag))
    case YAML_SEQUENCE_END_EVENT: return .sequenceEnd
    case YAML_MAPPING_START_EVENT:
      let start = event.data.mapping_start
      return .mappingStart(anchor: text(start.anchor), tag: text(start.tag))
    case YAML_MAPPING_END_EVENT: return .mappingEnd
    default: return .streamEnd
    }
  }

  private static func text(_ bytes: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    bytes.map { String(cString: $0) }
  }
}
