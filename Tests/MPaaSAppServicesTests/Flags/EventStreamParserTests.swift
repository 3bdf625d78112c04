import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSAppServices

@Suite("The reader of event streams") struct EventStreamParserTests {
  /// The events of a text that comes in pieces of sizes from `size`.
  static func events(_ bytes: [UInt8], _ size: () -> Int = { .max }) -> [ServerSentEvent] {
    var (parser, events, rest) = (EventStreamParser(), [ServerSentEvent](), bytes[...])
    while !rest.isEmpty {
      let piece = Array(rest.prefix(max(size(), 1)))
      rest = rest.dropFirst(piece.count)
      #expect(piece.withUnsafeBytes { parser.take($0) { events.append($0) } })
    }
    return events
  }

  static func events(_ text: String) -> [ServerSentEvent] { events(Array(text.utf8)) }

  static func event(_ data: String, _ type: String = "message", id: String? = nil) -> ServerSentEvent {
    ServerSentEvent(type: type, data: Array(data.utf8), lastID: id)
  }

  /// The same by whole lines, as the specification puts it.
  static func reference(_ text: String) -> [ServerSentEvent] {
    var text = Array(text.unicodeScalars)
    if text.first == "\u{feff}" { text.removeFirst() }
    var lines: [String] = [""]
    var index = 0
    while index < text.count {
      if text[index] == "\r", index + 1 < text.count, text[index + 1] == "\n" { index += 1 }
      if text[index] == "\n" || text[index] == "\r" {
        lines.append("")
      } else {
        lines[lines.count - 1].unicodeScalars.append(text[index])
      }
      index += 1
    }
    var (events, type, data, id) = ([ServerSentEvent](), "", [String](), String?.none)
    for line in lines.dropLast() {
      if line.unicodeScalars.isEmpty {
        if !data.isEmpty { events.append(event(data.joined(separator: "\n"), type.isEmpty ? "message" : type, id: id)) }
        (type, data) = ("", [])
        continue
      }
      let scalars = Array(line.unicodeScalars)
      let colon = scalars.firstIndex(of: ":") ?? scalars.count
      func text(_ part: ArraySlice<Unicode.Scalar>) -> String {
        var text = ""
        text.unicodeScalars.append(contentsOf: part)
        return text
      }
      var value = scalars.dropFirst(colon + 1)
      if value.first == " " { value = value.dropFirst() }
      switch text(scalars[..<colon]) {
      case "data": data.append(text(value))
      case "event": type = text(value)
      case "id": if !value.contains("\0") { id = value.isEmpty ? nil : text(value) }
      default: break
      }
    }
    return events
  }

  @Test("takes lines that end in any way, joins data, and passes over comments and unknown fields")
  func form() {
    #expect(Self.events("data: a\n\ndata: b\r\rdata: c\r\n\r\n") == ["a", "b", "c"].map { Self.event($0) })
    #expect(Self.events(": here\nevent: x\ndata:1\ndata\ndata:  2\nother: y\n\n") == [Self.event("1\n\n 2", "x")])
    #expect(
      Self.events("\u{feff}id: 7\ndata: a\n\nid: \0\ndata: b\n\nid\ndata: c\n\n") == [
        Self.event("a", id: "7"), Self.event("b", id: "7"), Self.event("c"),
      ])
    // An event without data is none, and one that is not ended does not count.
    #expect(Self.events("event: x\n\nevent: y\ndata: z").isEmpty)
    #expect(Self.events("event: x\n\ndata: z\n\n") == [Self.event("z")])
  }

  @Test("reads any text in pieces of any size as one that has all of it, and as whole lines do")
  func pieces() {
    var random = SeededRandom(seed: 5)
    let words = [
      "data", "event", "id", "retry", ":", ": ", "\n", "\r", "\r\n", "\n\n", "x", "é", "\u{feff}", "\0", " ",
      "{\"a\":1}",
    ]
    for _ in 0..<SeededRandom.rounds(or: 400) {
      let text = (0..<Int.random(in: 0...40, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
        .joined()
      let whole = Self.events(text)
      #expect(whole == Self.reference(text), "\(text.debugDescription)")
      #expect(Self.events(Array(text.utf8)) { Int.random(in: 1...4, using: &random) } == whole)
    }
  }

  @Test("takes any bytes without harm, and refuses lines that do not end")
  func bytes() {
    var random = SeededRandom(seed: 6)
    let text = Array("id: 1\nevent: unleash-updated\ndata: {}\n\n: here\n\ndata: é\r\n\r\n".utf8)
    for _ in 0..<SeededRandom.rounds(or: 400) {
      var bytes = text
      for _ in 0..<4 { bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random) }
      #expect(Self.events(bytes) { Int.random(in: 1...9, using: &random) } == Self.events(bytes))
    }
    var parser = EventStreamParser()
    let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
    let taken = (0..<12).prefix { _ in piece.withUnsafeBytes { parser.take($0) { _ in } } }
    #expect(taken.count == 9)
  }
}
