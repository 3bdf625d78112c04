import Foundation
import MPaaSTestSupport
import Testing

@testable import MPaaSQRCode

@Suite("QR codes") struct QRCodeTests {
  /// The bytes that each level takes at most.
  private static let capacities: [QRLevel: Int] = [.low: 2953, .medium: 2331, .quartile: 1663, .high: 1273]

  private struct Case: Encodable {
    let level: String
    let text: String
    let version: Int
    let mask: Int
    let modules: String

    init(_ text: [UInt8], _ level: QRLevel, mask: Int?) throws {
      let code = try QRCode(text, level, mask: mask)
      self.level = level.rawValue
      self.text = Data(text).base64EncodedString()
      (version, self.mask) = (code.version.number, code.mask)
      modules = (0..<code.size).map { row in
        (0..<code.size).map { code.isDark(row: row, column: $0) ? "1" : "0" }.joined()
      }.joined()
    }
  }

  private static func cases() throws -> [Case] {
    var random = SeededRandom(seed: 18_004)
    return try (0..<400).map { round in
      let level = QRLevel.allCases[round % 4]
      let most = round % 3 == 0 ? 60 : round % 3 == 1 ? 300 : capacities[level] ?? 0
      // The smallest and the largest text of each level are among them.
      let count = round < 4 ? 0 : round < 8 ? capacities[level] ?? 0 : Int.random(in: 1...most, using: &random)
      let text = (0..<count).map { _ in UInt8.random(in: round % 2 == 0 ? 32...126 : 0...255, using: &random) }
      return try Case(text, level, mask: round % 5 == 0 ? Int.random(in: 0..<8, using: &random) : nil)
    }
  }

  @Test("are those of another writer module by module, and another reader reads each", .pythonPeers)
  func peers() throws {
    let cases = try Self.cases()
    #expect(Set(cases.map(\.version)).count == 40)
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "cases")
    try JSONEncoder().encode(cases).write(to: file)
    let script = """
      import base64, json, sys
      try:
          import qrcode, zxingcpp
          from qrcode.util import QRData, MODE_8BIT_BYTE
          from qrcode import constants as k
      except ImportError: sys.exit(0)
      levels = dict(L=k.ERROR_CORRECT_L, M=k.ERROR_CORRECT_M, Q=k.ERROR_CORRECT_Q, H=k.ERROR_CORRECT_H)
      same = read = 0
      cases = json.load(open(sys.argv[1]))
      for c in cases:
          text = base64.b64decode(c['text'])
          q = qrcode.QRCode(error_correction=levels[c['level']], mask_pattern=c['mask'], border=0)
          q.add_data(QRData(text, mode=MODE_8BIT_BYTE), optimize=0)
          q.make(fit=True)
          bits = ''.join('1' if m else '0' for row in q.modules for m in row)
          same += q.version == c['version'] and bits == c['modules']
          n = 17 + 4 * c['version']; w = (n + 8) * 3
          image = bytearray(b'\\xff' * (w * w))
          for r in range(n):
              for col in range(n):
                  if c['modules'][r * n + col] == '1':
                      for y in range(3):
                          a = ((r + 4) * 3 + y) * w + (col + 4) * 3
                          image[a:a + 3] = b'\\0\\0\\0'
          found = zxingcpp.read_barcodes(memoryview(image).cast('B', (w, w)))
          read += len(text) == 0 or any(f.bytes == text for f in found)
      print(same, read, len(cases))
      """
    let outcome = try Command.run(Fixture.python, ["-c", script, file.path])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.isEmpty || outcome.output == "400 400 400\n", "\(outcome.output)")
  }

  @Test("take the smallest symbol that a text fits, and refuse one that fits none", arguments: QRLevel.allCases)
  func sizes(level: QRLevel) throws {
    let most = try #require(Self.capacities[level])
    #expect(try QRCode([UInt8](repeating: 65, count: most), level).version.number == 40)
    #expect(throws: QRError(count: most + 1, most: most)) { try QRCode([UInt8](repeating: 65, count: most + 1), level) }
    var last = 0
    for count in stride(from: 0, through: most, by: 37) {
      let version = try QRCode([UInt8](repeating: 65, count: count), level, mask: 0).version
      #expect(version.capacity(level) >= count && version.number >= last)
      last = version.number
    }
  }

  @Test("are drawn with a title, a quiet zone and one rectangle for each run of dark modules")
  func drawing() throws {
    let code = try QRCode("https://console.example.com/install/x".utf8)
    let svg = code.svg(title: "A &amp; B")
    let side = code.size + 8
    #expect(svg.hasPrefix("<svg ") && svg.hasSuffix("</svg>") && svg.contains("<title>A &amp; B</title>"))
    #expect(svg.contains("viewBox=\"0 0 \(side) \(side)\"") && svg.contains("M4 4h7v1h-7z"))
    var dark = 0
    for part in svg.split(separator: "M").dropFirst(2) {
      dark += Int(part.split(separator: "h")[1].prefix { $0.isNumber }) ?? 0
    }
    let all = (0..<code.size).flatMap { row in (0..<code.size).map { code.isDark(row: row, column: $0) } }
    #expect(dark == all.count { $0 })
  }
}
