import CSecurity
import Foundation
import MPaaSSecurity
import MPaaSSecurityTools
import MPaaSTestSupport
import Testing

@Suite("Readers of /proc") struct ParserTests {
  @Test("read a line of a map, with blanks in its path and the note of a removed file")
  func mapping() {
    let line = "7f00a000-7f00c000 r-xp 00003000 fe:01 1835 /tmp/my app/lib x.so (deleted)"
    let read = ProcessMapping(line: line)
    #expect(read?.start == 0x7f00_a000 && read?.end == 0x7f00_c000 && read?.offset == 0x3000)
    #expect(read?.isExecutable == true && read?.isWritable == false && read?.isDeleted == true)
    #expect(read?.path == "/tmp/my app/lib x.so")
    for line in ["", "-", "7f00", "7f00-", "7f00-8f00", "7f00-8f00 rw", "zz-zz r-xp 0 0:0 0"] {
      #expect(ProcessMapping(line: line) == nil, "\(line)")
    }
  }

  @Test("read the number of a field, and no field whose name only begins so")
  func status() {
    func number(_ text: String, _ field: String) -> Int? {
      var value = 0
      return text.withCString { mp_status_number($0, strlen($0), field, &value) } ? value : nil
    }
    #expect(number("Name:\tx\nTracerPid:\t421\nUid:\t0", "TracerPid") == 421)
    #expect(number("TracerPids:\t1\nTracerPid:\t0\n", "TracerPid") == 0)
    #expect(number("TracerPid:\tx\n", "TracerPid") == nil && number("", "TracerPid") == nil)
    #expect(number("TracerPid:\t99999999999999999999", "TracerPid") == nil)
  }

  @Test("know the entries of an environment that load code")
  func environment() {
    func loads(_ entry: String) -> Bool {
      var value: UnsafePointer<CChar>?
      return entry.withCString { mp_environment_loads($0, strlen($0), &value) }
    }
    #expect(loads("LD_PRELOAD=/x.so") && loads("LD_AUDIT=a") && loads("DYLD_INSERT_LIBRARIES=a"))
    #expect(!loads("LD_PRELOAD=") && !loads("XLD_PRELOAD=a") && !loads("LD_PRELOA") && !loads(""))
  }

  @Test("read the ports of sockets that are the process' own and listen")
  func ports() {
    let table = """
        sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
         0: 0100007F:69A2 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 11 1 0 100 0 0 10 0
         1: 0100007F:69A3 00000000:0000 01 00000000:00000000 00:00000000 00000000     0        0 12 1 0 100 0 0 10 0
         2: 0100007F:69A4 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 13 1 0 100 0 0 10 0
      """
    #expect(ListeningPorts.read(table, sockets: ["11", "12"]) == [27042])
  }

  @Test("read any text without harm")
  func fuzz() throws {
    var random = SeededRandom(seed: 28)
    let texts = ["maps", "status", "net/tcp"].map { name in
      Array((try? Data(contentsOf: URL(filePath: "/proc/self/\(name)"))) ?? Data("7f00-8f00 r-xp 0 0:0 1 /x\n".utf8))
    }
    for round in 0..<SeededRandom.rounds(or: 300) {
      var bytes = texts[round % texts.count]
      for _ in 0..<Int.random(in: 1...8, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...40, using: &random)))
        default: bytes.insert(contentsOf: bytes.prefix(Int.random(in: 1...40, using: &random)), at: place)
        }
      }
      for line in bytes.split(separator: UInt8(ascii: "\n")) {
        // Copies of their own, so that a read past the end is seen by sanitizers.
        _ = ProcessMapping(line: String(decoding: line, as: UTF8.self))
        var value: UnsafePointer<CChar>?
        Array(line).withUnsafeBytes { raw in
          let text = raw.bindMemory(to: CChar.self)
          _ = text.baseAddress.map { mp_environment_loads($0, text.count, &value) }
        }
      }
      var number = 0
      bytes.withUnsafeBytes { raw in
        let text = raw.bindMemory(to: CChar.self)
        _ = text.baseAddress.map { mp_status_number($0, text.count, "TracerPid", &number) }
      }
      _ = ListeningPorts.read(String(decoding: bytes, as: UTF8.self), sockets: ["0"])
    }
  }
}

@Suite("Findings") struct FindingTests {
  @Test("name their evidence and a bypass, each kind its own")
  func texts() {
    let kinds = Finding.Kind.allCases
    #expect(Set(kinds.map(\.bypass)).count == kinds.count)
    #expect(Finding.Confidence.possible < .probable && Finding.Confidence.probable < .certain)
  }
}
