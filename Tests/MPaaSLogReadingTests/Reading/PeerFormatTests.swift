import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSLogReading
@testable import MPaaSLogs

/// Files as Logan and xlog write them, made by Python and openssl after the layouts that the projects document.
@Suite("Files of Logan and xlog", .tool("python3"), .tool("openssl"), .tool("zstd")) struct PeerFormatTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let script = """
    import json, struct, subprocess, sys, zlib
    kind, out, count, units = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    LETTERS = 'VDIWEF'
    def gz(data):
        c = zlib.compressobj(9, zlib.DEFLATED, 31)
        return c.compress(data) + c.flush(zlib.Z_SYNC_FLUSH) + c.flush()
    def logan(n, first):
        lines = ''.join(json.dumps({'c': 'entry %d 日志' % i, 'f': 3, 'l': 1767225600000 + i, 'n': 'main', 'i': 7, 'm': True},
                                   ensure_ascii=False) + '\\n' for i in range(first, first + n))
        run = subprocess.run(['openssl', 'enc', '-aes-128-cbc', '-K', b'0123456789abcdef'.hex(), '-iv', b'fedcba9876543210'.hex()],
                             input=gz(lines.encode()), capture_output=True, check=True)
        return b'\\x01' + struct.pack('>I', len(run.stdout)) + run.stdout + b'\\0'
    P = 2**256 - 2**32 - 977
    G = (0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
         0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8)
    def add(a, b):
        if a is None: return b
        if b is None: return a
        if a[0] == b[0] and (a[1] + b[1]) % P == 0: return None
        m = (3 * a[0] * a[0] * pow(2 * a[1], -1, P) if a == b else (b[1] - a[1]) * pow(b[0] - a[0], -1, P)) % P
        x = (m * m - a[0] - b[0]) % P
        return (x, (m * (a[0] - x) - a[1]) % P)
    def times(k, p):
        r = None
        while k:
            if k & 1: r = add(r, p)
            p = add(p, p); k >>= 1
        return r
    TEAM = 0x145aa7717bf9745b91e9569b80bbf1eedaa6cc6cd0e26317d810e35710f44cf8
    CLIENT = 0x1f0e2d3c4b5a69788796a5b4c3d2e1f00112233445566778899aabbccddeeff0
    point = times(CLIENT, G)
    shared = times(CLIENT, times(TEAM, G))[0].to_bytes(32, 'big')
    def tea(data):
        k = struct.unpack('<4I', shared[:16]); M = 0xffffffff; out = b''
        for i in range(0, len(data) // 8 * 8, 8):
            a, b = struct.unpack('<2I', data[i:i + 8]); s = 0
            for _ in range(16):
                s = (s + 0x9E3779B9) & M
                a = (a + (((b << 4) + k[0]) ^ (b + s) ^ ((b >> 5) + k[1]))) & M
                b = (b + (((a << 4) + k[2]) ^ (a + s) ^ ((a >> 5) + k[3]))) & M
            out += struct.pack('<2I', a, b)
        return out + data[len(data) // 8 * 8:]
    def xlog(magic, n, first, seq):
        text = ''.join('[%s][2026-01-01 +8.0 08:00:%02d.%03d][12, 34*][net][a.cc:7, send][entry %d\\n'
                       % (LETTERS[i % 6], i // 1000 % 60, i % 1000, i) for i in range(first, first + n)).encode()
        if magic in (7, 9):
            c = zlib.compressobj(6, zlib.DEFLATED, -15); data = c.compress(text) + c.flush(zlib.Z_SYNC_FLUSH)
        elif magic in (12, 13):
            data = subprocess.run(['zstd', '-q', '-c'], input=text, capture_output=True, check=True).stdout
        else: data = text
        key = bytes(64)
        if magic in (7, 12):
            key = point[0].to_bytes(32, 'big') + point[1].to_bytes(32, 'big'); data = tea(data)
        return struct.pack('<BHBBI', magic, seq, 8, 8, len(data)) + key + data + b'\\0'
    with open(out, 'wb') as f:
        for u in range(units):
            f.write(logan(count, u * count) if kind == 'logan' else xlog(int(kind), count, u * count, u + 1))
    """

  private func make(_ kind: String, _ name: String, count: Int = 200, units: Int = 5) throws -> String {
    let path = folder.url.appending(path: name).path
    let outcome = try Command.run("python3", ["-c", Self.script, kind, path, String(count), String(units)])
    #expect(outcome.status == 0, "\(outcome.errors)")
    return path
  }

  private func read(_ path: String, _ opening: LogOpening, _ query: LogQuery = LogQuery()) throws -> (
    items: [LogItem], problems: [LogError]
  ) {
    var items: [LogItem] = []
    let summary = try LogMerge(try LogInputs([path], opening, query: query), LogReadOptions(query)).run {
      items.append($0)
      return true
    }
    return (items, summary.problems)
  }

  private static func opening() throws -> LogOpening {
    var opening = LogOpening()
    opening.loganKey = try LoganKey("0123456789abcdef:fedcba9876543210")
    opening.xlogKey = try XlogKey("145aa7717bf9745b91e9569b80bbf1eedaa6cc6cd0e26317d810e35710f44cf8")
    return opening
  }

  @Test("of Logan are read with key and vector")
  func logan() throws {
    let path = try make("logan", "1767225600000")
    let (items, problems) = try read(path, Self.opening())
    #expect(problems == [])
    #expect(items.map(\.record.entry.message) == (0..<1000).map { "entry \($0) 日志" })
    let record = try #require(items.last).record
    #expect(record.time == 1_767_225_600_999_000_000)
    #expect(record.thread == 7)
    #expect(record.entry.fields.contains(LogField("main", .flag(true))))
    var query = LogQuery()
    query.pattern = try LogPattern("entry 77", .literal)
    #expect(try read(path, Self.opening(), query).items.count == 11)
    let error = #expect(throws: LogError.self) { try read(path, LogOpening()) }
    #expect(error?.code == .loganKeyMissing)
    var wrong = LogOpening()
    wrong.loganKey = try LoganKey("0123456789abcdeX:fedcba9876543210")
    let lost = try read(path, wrong)
    #expect(lost.items.isEmpty)
    #expect(lost.problems.count == 5)
    #expect(lost.problems.allSatisfy { $0.code == .unitDamaged })
  }

  @Test("of xlog are read, encrypted and not, of either compression", arguments: [6, 7, 8, 9, 12, 13])
  func xlog(kind: Int) throws {
    let path = try make(String(kind), "a.xlog")
    let (items, problems) = try read(path, Self.opening())
    #expect(problems == [])
    #expect(items.count == 1000)
    let record = try #require(items.last).record
    #expect(record.entry.message == "[a.cc:7, send][entry 999")
    #expect(record.entry.tag == "net")
    #expect(record.thread == 34)
    #expect(record.time == 1_767_225_600_999_000_000)
    #expect(record.entry.level == .warning)
    guard kind == 7 || kind == 12 else { return }
    let missing = try read(path, LogOpening()).problems
    #expect(missing.first?.code == .xlogKeyMissing)
  }

  @Test(
    "that are cut short or damaged give all that is whole, and never end the process", arguments: ["logan", "7", "13"])
  func damage(kind: String) throws {
    let path = try make(kind, "d.xlog", count: 40, units: 4)
    let whole = [UInt8](try Data(contentsOf: URL(filePath: path)))
    let other = folder.url.appending(path: "e.xlog")
    var random = SeededRandom(seed: 11)
    for round in 0..<SeededRandom.rounds(or: 40) {
      var bytes = whole
      if round % 2 == 0 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
      } else {
        bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
      }
      try Data(bytes).write(to: other)
      // A changed first byte makes another kind of file of it.
      let found = try? read(other.path, Self.opening())
      if round % 2 == 0, bytes[..<80] == whole[..<80] { #expect((found?.items.count ?? 0) >= 80, "round \(round)") }
    }
  }

  @Test("a flipped byte of Logan's is told, also where lines stand before it", arguments: [0.2, 0.5, 0.9])
  func flipped(place: Double) throws {
    let path = try make("logan", "d.logan", count: 4000, units: 1)
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    bytes[Int(Double(bytes.count) * place)] ^= 0x20
    try Data(bytes).write(to: URL(filePath: path))
    let found = try read(path, Self.opening())
    #expect(found.problems.map(\.code) == [.unitDamaged])
    #expect(found.items.count < 4000)
  }

  @Test("keys are told to be malformed")
  func keys() {
    #expect(throws: LogError.self) { try LoganKey("short:fedcba9876543210") }
    #expect(throws: LogError.self) { try XlogKey("12") }
  }
}
