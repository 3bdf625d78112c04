import Foundation
import MPaaSHAR
import MPaaSJSON
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Broken recordings") struct HARFuzzTests {
  @Test("are refused or read, masked, written and replayed, and never stop the program", .fixtures)
  func mutations() throws {
    var random = SeededRandom(seed: 12)
    for name in ["charles", "insomnia", "postdata", "with-bom"] {
      let original = Array(try Fixture.data("rpc/har/\(name).har"))
      for _ in 0..<SeededRandom.rounds(or: 120) {
        var bytes = original
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          let place = Int.random(in: 0..<bytes.count, using: &random)
          switch Int.random(in: 0..<4, using: &random) {
          case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
          case 1: bytes.remove(at: place)
          case 2: bytes.insert(contentsOf: bytes[place..<min(place + 40, bytes.count)], at: place)
          default: bytes.removeSubrange(place..<min(place + Int.random(in: 1...200, using: &random), bytes.count))
          }
        }
        guard let file = try? HARFile(bytes, file: "f") else { continue }
        let masked = Masker().file(file)
        #expect(try HARFile(masked.bytes, file: "f").node.line == masked.node.line)
        var replay = HARReplay(file)
        for entry in file.entries {
          _ = (entry.started, entry.duration, entry.request.cookies, entry.response.redirect)
          _ = replay.answer(method: entry.request.method, url: entry.request.url, body: entry.request.body ?? [])
        }
      }
    }
  }

  @Test("and texts of any bytes are masked to texts that are masked already")
  func texts() {
    let masker = Masker()
    var random = SeededRandom(seed: 13)
    let parts = [
      "?token=", "&", "=", "Bearer ", "eyJ", ".", "4111111111111111", " ", "-", "://u:p@h", "<password>", "</", "{",
      "\"pin\":", "--b\r\n", "name=\"password\"\r\n\r\n", "%5B", "\u{4e2d}", "Basic YWxhZGRpbjpvcGVu",
    ]
    for _ in 0..<SeededRandom.rounds(or: 3000) {
      let text = (0..<Int.random(in: 1...12, using: &random)).compactMap { _ in parts.randomElement(using: &random) }
        .joined()
      let type = ["multipart/form-data", "application/x-www-form-urlencoded", "text/xml", ""].randomElement(
        using: &random)
      let once = masker.body(Array(text.utf8), type: type) ?? []
      let twice = masker.body(once, type: type) ?? []
      #expect(once == twice, "\(text)")
    }
  }
}
