import MPaaSRPC
import MPaaSSupport
import MPaaSTerminal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The answer to a call: its content, and what the gateway says of it.
struct RPCAnswerView: Presentable {
  let response: RPCResponse
  /// The content as JSON; nil where it is none.
  private let content: RPCValue?

  init(_ response: RPCResponse) {
    self.response = response
    content = try? response.json()
  }

  private enum Key: String, CodingKey {
    case status, result, attempts, memo, tips, headers, body, text
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(response.status, forKey: .status)
    try container.encodeIfPresent(response.resultCode?.rawValue, forKey: .result)
    try container.encode(response.attempts, forKey: .attempts)
    try container.encodeIfPresent(response.memo, forKey: .memo)
    try container.encodeIfPresent(response.tips, forKey: .tips)
    try container.encode(response.headers, forKey: .headers)
    if let content {
      try container.encode(ExactContent(value: content), forKey: .body)
    } else {
      try container.encode(response.text, forKey: .text)
    }
  }

  func document(_ catalogue: Catalogue) -> Document {
    let text = content?.indented ?? response.text
    return Document(
      lines: text.split(separator: "\n", omittingEmptySubsequences: false).map {
        StyledText(verbatim: String($0))
      })
  }
}

/// JSON for any encoder, with the digits of its numbers.
private struct ExactContent: Encodable {
  let value: RPCValue

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }

  func encode(to encoder: any Encoder) throws {
    if let members = value.members {
      var container = encoder.container(keyedBy: Name.self)
      for member in members { try container.encode(ExactContent(value: member.value), forKey: Name(member.name)) }
    } else if let elements = value.elements {
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(ExactContent(value: element)) }
    } else {
      var container = encoder.singleValueContainer()
      if let string = value.string { return try container.encode(string) }
      if let bool = value.bool { return try container.encode(bool) }
      guard let number = value.number else { return try container.encodeNil() }
      if let decimal = number.decimal { return try container.encode(decimal) }
      try container.encode(number.double)
    }
  }
}
