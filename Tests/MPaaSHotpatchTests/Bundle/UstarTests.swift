import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSHotpatch

@Suite("The one form of ustar") struct UstarTests {
  private func entries(_ archive: [UInt8]) throws -> [String: [UInt8]] {
    let bytes = Bytes(archive)
    var reader = UstarReader(bytes.buffer)
    var entries: [String: [UInt8]] = [:]
    while let header = try reader.next() {
      let range = try reader.contents(of: header)
      entries[header.path] = [UInt8](bytes.buffer[range])
    }
    return entries
  }

  static let paths = [
    "main.lua", "images/图标.png", String(repeating: "a", count: 100),
    String(repeating: "d", count: 60) + "/" + String(repeating: "f", count: 60),
    String(repeating: "d/", count: 50) + "f",
  ]

  @Test("is read as it was written, long paths included")
  func roundTrip() throws {
    var writer = UstarWriter()
    for (index, path) in Self.paths.enumerated() {
      let fits = writer.add(path, [UInt8](repeating: 7, count: index * 300))
      #expect(fits)
    }
    let archive = writer.finished()
    let entries = try entries(archive)
    #expect(entries.count == Self.paths.count)
    for (index, path) in Self.paths.enumerated() { #expect(entries[path]?.count == index * 300) }
  }

  @Test("a path that no header can hold is not written")
  func longPath() {
    var writer = UstarWriter()
    for path in [
      String(repeating: "a", count: 101), String(repeating: "d", count: 156) + "/f",
      "d/" + String(repeating: "f", count: 101),
    ] {
      let fits = writer.add(path, [])
      #expect(!fits, "\(path)")
    }
  }

  @Test("GNU tar and Python read it", .tool("tar"), .tool("python3"))
  func readOutside() throws {
    let folder = try TemporaryFolder()
    var writer = UstarWriter()
    for path in Self.paths { _ = writer.add(path, Array(path.utf8)) }
    try Data(writer.finished()).write(to: folder.url.appending(path: "a.tar"))
    let outcome = try Command.run("tar", ["xf", "a.tar"], directory: folder.url)
    #expect(outcome.status == 0)
    #expect(outcome.errors.isEmpty)
    for path in Self.paths {
      #expect(try Data(contentsOf: folder.url.appending(path: path)) == Data(path.utf8))
    }
    let script = "import tarfile; print(*tarfile.open('a.tar').getnames(), sep='\\n')"
    let names = try Command.run("python3", ["-c", script], environment: ["PYTHONUTF8": "1"], directory: folder.url)
    #expect(names.output.split(separator: "\n").map(String.init) == Self.paths)
  }

  @Test("no bit of an archive can be flipped unseen but those of the contents")
  func bits() throws {
    var writer = UstarWriter()
    _ = writer.add("a.lua", Array("return 1".utf8))
    let archive = writer.finished()
    let whole = try entries(archive)
    for index in 0..<archive.count * 8 {
      var flipped = archive
      flipped[index / 8] ^= 1 << (index % 8)
      // A name may become another name only with the sum that belongs to it.
      let seen = try? entries(flipped)
      #expect(seen == nil || (512..<520).contains(index / 8), "bit \(index)")
      #expect(seen != whole)
    }
  }
}
