import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas flags publish") struct FlagsPublishTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try FlagsCommandTests.folder()
    #expect(try call("key", "generate", "--name", "flags", "--unencrypted").status == 0)
  }

  private func call(_ arguments: String...) throws -> Command.Outcome { try mpaas(arguments, home: folder) }

  private func publish(_ arguments: String...) throws -> Command.Outcome {
    let words = ["flags", "publish", "--state", folder.path + "/state.json", "--key", "flags", "--json"]
    return try mpaas(words + arguments, home: folder)
  }

  @Test("an envelope holds the state, the app, the end of its use, and a number that only grows")
  func envelope() throws {
    let path = folder.path + "/flags.dsse"
    let first = try publish("--for", "SHOP", "--output", path, "--expires", "2030-01-02T03:04:05Z")
    #expect(first.status == 0, "\(first)")
    #expect(try json(first.output)["number"] as? Int == 1)
    #expect(try publish("--for", "SHOP", "--output", path, "--expires", "2030-01-02T03:04:05Z").status == 0)
    let envelope = try json(String(contentsOfFile: path, encoding: .utf8))
    #expect(envelope["payloadType"] as? String == "application/vnd.mpaas.flags+json")
    #expect((envelope["signatures"] as? [Any])?.count == 1)
    let payload = try #require((envelope["payload"] as? String).flatMap { Data(base64Encoded: $0) })
    let signed = try json(String(decoding: payload, as: UTF8.self))
    #expect(signed["version"] as? Int == 2 && signed["app"] as? String == "SHOP")
    #expect(signed["expires"] as? String == "2030-01-02T03:04:05Z")
    #expect(((signed["state"] as? [String: Any])?["features"] as? [Any])?.count == 2)
    let cases: [(words: [String], status: Int32, code: String)] = [
      (["--for", "SHOP", "--number", "2"], 64, "flags-number-older"),
      (["--for", "OTHER"], 73, "flags-envelope-other"), (["--for", "../x"], 64, "flags-app-name"),
      ([], 64, "flags-app-name"), (["--for", "SHOP", "--expires", "2020-01-01"], 64, "flags-time"),
    ]
    for (words, status, code) in cases {
      let outcome = try mpaas(
        ["flags", "publish", "--state", folder.path + "/state.json", "--key", "flags", "--json", "-o", path] + words,
        home: folder)
      #expect(outcome.status == status && outcome.errors.contains(code), "\(words): \(outcome)")
    }
    let unsigned = try call("flags", "publish", "--state", folder.path + "/state.json", "-o", path, "--for", "SHOP")
    #expect(unsigned.status == 64 && unsigned.errors.contains("key"), "\(unsigned)")
  }

  @Test("a repository gets the state as a target, which its signatures vouch for")
  func repository() throws {
    let repository = folder.path + "/repository"
    #expect(try call("registry", "init", repository, "--key", "flags").status == 0)
    for number in 1...2 {
      let outcome = try publish("--for", "SHOP", "--repository", repository)
      #expect(outcome.status == 0, "\(outcome)")
      let answer = try json(outcome.output)
      #expect(answer["number"] as? Int == number && answer["complete"] as? Bool == true)
      #expect(answer["path"] as? String == "config/SHOP.json")
    }
    let check = try call("registry", "check", "--repository", repository)
    #expect(check.status == 0, "\(check)")
    let targets = try String(contentsOfFile: repository + "/metadata/3.targets.json", encoding: .utf8)
    #expect(targets.contains("\"config/SHOP.json\""))
    #expect(try publish("--for", "SHOP", "--repository", folder.path + "/none").status == 66)
  }
}
