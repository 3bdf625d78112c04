import Foundation
import MPaaSHotpatch
import MPaaSSupport
import MPaaSTestSupport
import MPaaSToolSupport
import MPaaSTrust
import Synchronization
import Testing

@testable import MPaaSHotpatchTools

@Suite("The process that tries a patch") struct HarnessProcessTests {
  let request = HarnessRequest(files: ["main.lua": "return 1"], instructions: 1, milliseconds: 1, memory: 1 << 16)

  func process(_ outcome: ProcessRunner.Outcome) -> HarnessProcess {
    HarnessProcess("mpaas", ["hotpatch", "child"], runner: ProcessRunner { _ in outcome })
  }

  @Test("reads the request from standard input, and sees no environment")
  func input() throws {
    let seen = Mutex<ProcessRunner.Request?>(nil)
    var report = HarnessReport()
    report.symbols = ["Cart.total"]
    let text = String(decoding: try JSONEncoder().encode(report), as: UTF8.self)
    let process = HarnessProcess(
      "mpaas", ["hotpatch", "child"],
      runner: ProcessRunner { request in
        seen.withLock { $0 = request }
        return .init(status: 0, output: text)
      })
    #expect(try process.run(request) == report)
    let asked = try #require(seen.withLock { $0 })
    #expect(asked.arguments == ["hotpatch", "child"])
    #expect(asked.environment == [])
    #expect(try JSONDecoder().decode(HarnessRequest.self, from: Data(asked.input ?? [])) == request)
  }

  @Test("that gives no report is told by how it ended")
  func ended() {
    #expect(throws: TrustError(.childOpen)) { try process(.init(status: 77)).run(request) }
    #expect(throws: TrustError(.childEnded, ["status": "139"])) { try process(.init(status: 139)).run(request) }
  }

  @Test("limits are taken as far as they make sense")
  func limits() throws {
    let asked = try HarnessRequest(trying: [:], symbols: nil, instructions: 0, milliseconds: 1 << 40, memory: 1)
    #expect(asked.instructions == 1)
    #expect(asked.milliseconds == 60_000)
    #expect(asked.memory == 1 << 16)
  }

  @Test("a patch has its tests beside it")
  func tests() throws {
    let folder = try TemporaryFolder()
    for name in ["cart.lua", "cart_test.lua", "other_test.lua"] {
      try Data("-- \(name)".utf8).write(to: folder.url.appending(path: name))
    }
    let one = try PatchSources(folder.path + "/cart.lua")
    #expect(one.files.keys.sorted() == ["cart.lua"])
    #expect(one.tests.keys.sorted() == ["cart_test.lua"])
    let all = try PatchSources(folder.path)
    #expect(all.tests.keys.sorted() == ["cart_test.lua", "other_test.lua"])
    let bundle = try PatchSources([PayloadFile(path: "main.lua", contents: .empty)], at: folder.path + "/cart.mpatch")
    #expect(bundle.tests.keys.sorted() == ["cart_test.lua"])
  }
}
