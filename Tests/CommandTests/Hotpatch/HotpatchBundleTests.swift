import Foundation
import MPaaSTestSupport
import Testing

/// A home with keys, a patch and a bundle of it, all made by the command.
private struct PatchHome {
  let home: TemporaryFolder
  static let symbols = """
    {"app":"com.example.shop","version":"8","functions":{"Cart.total":{"parameters":["[double]"],"result":"double",
    "async":false,"throws":false}},"exports":{},"types":{}}
    """

  init() throws {
    home = try TemporaryFolder()
    for name in ["release", "second"] {
      let made = try mpaas("key", "generate", "--name", name, "--unencrypted")
      #expect(made.status == 0, "\(made.errors)")
    }
    #expect(try mpaas("key", "generate", "--name", "phones", "--type", "age", "--unencrypted").status == 0)
    try write("patch/main.lua", "patch(\"Cart.total\", function(items) return ORIG(items) * 0.9 end)\n")
    try write("patch/lib/tax.lua", "return 0.19\n")
    try write("patch/images/badge.txt", "badge\n")
    try write("patch/.hidden", "no\n")
    for name in ["release", "second"] {
      try write("\(name).pem", try mpaas("key", "export", "--name", name, "--public", "--format", "pem").output)
    }
  }

  var path: String { home.path }

  func write(_ name: String, _ text: String) throws {
    let url = home.url.appending(path: name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  func data(_ name: String) throws -> Data { try Data(contentsOf: home.url.appending(path: name)) }

  func mpaas(_ arguments: String..., environment: [String: String] = [:]) throws -> Command.Outcome {
    try run(arguments, environment)
  }

  func run(_ arguments: [String], _ environment: [String: String] = [:]) throws -> Command.Outcome {
    let fixed = ["MPAAS_HOME": home.path + "/home", "LC_ALL": "C", "MPAAS_LANG": "", "NO_COLOR": "1"]
    return try Command.run(
      "mpaas", arguments, environment: fixed.merging(environment) { $1 }, directory: home.url)
  }

  func build(_ output: String = "a.mpatch", _ more: String...) throws -> Command.Outcome {
    try run(
      [
        "hotpatch", "build", "patch", "--app", "com.example.shop", "--patch-version", "1.2", "--key", "release",
        "--recipient", "phones", "--output", output,
      ] + more)
  }

  func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
  }

  func code(_ outcome: Command.Outcome) throws -> String? {
    (try object(outcome.errors)["error"] as? [String: Any])?["code"] as? String
  }
}

@Suite("mpaas hotpatch build, verify, inspect, unpack, diff") struct HotpatchBundleTests {
  @Test("a patch is built, verified and unpacked to the same files")
  func roundTrip() throws {
    let home = try PatchHome()
    let built = try home.build("a.mpatch", "--json", "--notes", "Totals.")
    #expect(built.status == 0, "\(built.errors)")
    let summary = try home.object(built.output)
    #expect(summary["path"] as? String == "a.mpatch")
    #expect(summary["entry"] as? String == "main.lua")
    #expect(summary["symbols"] as? [String] == ["Cart.total"])
    #expect(summary["reproducible"] as? Bool == true)
    let verified = try home.mpaas(
      "hotpatch", "verify", "a.mpatch", "--trust", "release.pem", "--identity", "phones", "--json")
    #expect(verified.status == 0, "\(verified.errors)")
    let result = try home.object(verified.output)
    #expect(result["valid"] as? Bool == true)
    #expect(result["app"] as? String == "com.example.shop")
    #expect(result["version"] as? String == "1.2")
    #expect(result["content_checked"] as? Bool == true)
    let signature = try #require((result["signatures"] as? [[String: Any]])?.first)
    #expect((signature["fingerprint"] as? String)?.count == 47)
    #expect(signature["scheme"] as? String == "ed25519")
    let unpacked = try home.mpaas(
      "hotpatch", "unpack", "a.mpatch", "--output", "out", "--trust", "release.pem", "--identity", "phones")
    #expect(unpacked.status == 0, "\(unpacked.errors)")
    for file in ["main.lua", "lib/tax.lua", "images/badge.txt"] {
      #expect(try home.data("out/\(file)") == home.data("patch/\(file)"))
    }
    #expect(!FileManager.default.fileExists(atPath: home.path + "/out/.hidden"))
    let again = try home.mpaas(
      "hotpatch", "unpack", "a.mpatch", "--output", "out", "--trust", "release.pem", "--identity", "phones", "--json")
    #expect(again.status == 73)
    #expect(try home.code(again) == "unpack-folder-not-empty")
  }

  @Test("building again at the same SOURCE_DATE_EPOCH or --issued gives the same bytes")
  func reproducible() throws {
    let home = try PatchHome()
    for (index, arguments) in [["--issued", "2027-01-15"], ["--issued", "2027-01-15T00:00:00Z"]].enumerated() {
      let outcome = try home.run(
        [
          "hotpatch", "build", "patch", "--app", "shop", "--patch-version", "1", "--recipient", "phones", "--key",
          index == 0 ? "release" : "second", index == 0 ? "second" : "release", "--output", "\(index).mpatch",
        ] + arguments)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    #expect(try home.data("0.mpatch") == home.data("1.mpatch"))
    let epoch = try home.run(
      [
        "hotpatch", "build", "patch", "--app", "shop", "--patch-version", "1", "--recipient", "phones", "--key",
        "release", "--key", "second", "--output", "2.mpatch",
      ], ["SOURCE_DATE_EPOCH": "1799971200"])
    #expect(epoch.status == 0, "\(epoch.errors)")
    #expect(try home.data("2.mpatch") == home.data("0.mpatch"))
  }

  @Test("refused bundles end with 77, malformed ones with 65, and both are named; nothing is written")
  func refusals() throws {
    let home = try PatchHome()
    #expect(try home.build().status == 0)
    func refused(_ status: Int32, _ id: String, _ arguments: String...) throws {
      let plain = try home.run(["hotpatch"] + arguments)
      #expect(plain.status == status, "\(id): \(plain.errors)")
      #expect(plain.errors.contains("code: \(id) "), "\(id): \(plain.errors)")
      #expect(plain.output.isEmpty)
      let json = try home.run(["hotpatch"] + arguments + ["--json"])
      #expect(json.status == status)
      #expect(try home.code(json) == id)
      #expect(!FileManager.default.fileExists(atPath: home.path + "/out"))
    }
    // Nothing can be trusted without any key, own ones included.
    let stranger = try home.run(["hotpatch", "verify", "a.mpatch"], ["MPAAS_HOME": home.path + "/stranger"])
    #expect(stranger.status == 77)
    #expect(stranger.errors.contains("code: trust-root-missing "))
    try refused(77, "signature-invalid", "verify", "a.mpatch", "--trust", "second.pem")
    try refused(
      77, "signature-below-threshold", "verify", "a.mpatch", "--trust", "release.pem", "second.pem", "--threshold", "2")
    try refused(77, "signature-threshold-zero", "verify", "a.mpatch", "--trust", "release.pem", "--threshold", "0")
    try refused(77, "patch-other-app", "verify", "a.mpatch", "--trust", "release.pem", "--app", "com.example.other")
    try refused(77, "patch-expired", "verify", "a.mpatch", "--trust", "release.pem", "--at", "200d")
    try refused(77, "patch-not-yet-valid", "verify", "a.mpatch", "--trust", "release.pem", "--at", "2020-01-01")
    try refused(
      77, "signature-invalid", "unpack", "a.mpatch", "--trust", "second.pem", "--identity", "phones", "--output", "out")
    #expect(try home.mpaas("key", "generate", "--name", "others", "--type", "age", "--unencrypted").status == 0)
    try refused(
      77, "age-no-identity", "unpack", "a.mpatch", "--trust", "release.pem", "--identity", "others", "--output", "out")
    var bytes = try home.data("a.mpatch")
    bytes.append(0)
    try bytes.write(to: home.home.url.appending(path: "b.mpatch"))
    try refused(65, "bundle-trailing-bytes", "verify", "b.mpatch", "--trust", "release.pem")
    try home.write("c.mpatch", "no bundle at all")
    try refused(65, "bundle-truncated", "inspect", "c.mpatch")
  }

  @Test("inspect says what a bundle says, and that nobody checked it")
  func inspect() throws {
    let home = try PatchHome()
    #expect(
      try home.build("a.mpatch", "--channel", "beta", "--app-versions", ">=8,<9", "--notes", "One\nTwo").status == 0)
    let text = try home.mpaas("hotpatch", "inspect", "a.mpatch")
    #expect(text.status == 0)
    #expect(text.output.hasPrefix("Not verified"))
    for word in ["com.example.shop (>=8,<9)", "beta", "Cart.total", "main.lua", "release"] {
      #expect(text.output.contains(word), "\(word)")
    }
    let json = try home.object(try home.mpaas("hotpatch", "inspect", "a.mpatch", "--json").output)
    #expect(json["verified"] as? Bool == false)
    #expect(json["payload_matches"] as? Bool == true)
    #expect(json["notes"] as? String == "One\nTwo")
  }

  @Test("diff tells members and lines that differ, and ends with 1 where any do")
  func diff() throws {
    let home = try PatchHome()
    #expect(try home.build("a.mpatch", "--issued", "2027-01-15").status == 0)
    #expect(try home.build("same.mpatch", "--issued", "2027-01-15").status == 0)
    try home.write("patch/lib/tax.lua", "return 0.07\n")
    #expect(try home.build("b.mpatch", "--issued", "2027-01-15", "--name", "tax").status == 0)
    #expect(try home.mpaas("hotpatch", "diff", "a.mpatch", "same.mpatch").status == 0)
    let outcome = try home.mpaas("hotpatch", "diff", "a.mpatch", "b.mpatch", "--identity", "phones")
    #expect(outcome.status == 1)
    for line in ["changed: lib/tax.lua", "@@ -1,1 +1,1 @@", "-return 0.19", "+return 0.07"] {
      #expect(outcome.output.contains(line), "\(outcome.output)")
    }
    let json = try home.object(try home.mpaas("hotpatch", "diff", "a.mpatch", "b.mpatch", "--json").output)
    let names = (json["fields"] as? [[String: Any]])?.compactMap { $0["name"] as? String }
    #expect(names == ["patch"])
    #expect(json["opened"] as? Bool == false)
  }

  @Test("Lua that lint refuses is not built, and no file is left")
  func lint() throws {
    let home = try PatchHome()
    try home.write("patch/main.lua", "local a = = 1\n")
    let outcome = try home.build("a.mpatch", "--json")
    #expect(outcome.status == 65)
    #expect(try home.code(outcome) == "lua-syntax")
    #expect(!FileManager.default.fileExists(atPath: home.path + "/a.mpatch"))
  }

  @Test("lint, run and test open a bundle once it is verified, in memory only, and refuse a forged one")
  func bundleAsInput() throws {
    let home = try PatchHome()
    try home.write("patch/main_test.lua", "test('less', function() expect(call('Cart.total', {})):equals(0) end)\n")
    try home.write("symbols.json", PatchHome.symbols)
    #expect(try home.build().status == 0)
    let opened = ["a.mpatch", "--trust", "release.pem", "--identity", "phones"]
    let folder = try TemporaryFolder()
    let before = try FileManager.default.contentsOfDirectory(atPath: home.path).sorted()
    let environment = ["TMPDIR": folder.path]
    let lint = try home.run(["hotpatch", "lint"] + opened, environment)
    #expect(lint.status == 0, "\(lint)")
    #expect(lint.output == "2 files, nothing found\n", "\(lint)")
    let run = try home.run(
      ["hotpatch", "run"] + opened + ["--symbols", "symbols.json", "--call", "Cart.total"], environment)
    #expect(run.status == 0, "\(run)")
    #expect(run.output.contains("replaces Cart.total"), "\(run)")
    // Tests stand beside a patch: they are no part of the bundle.
    #expect(try home.run(["hotpatch", "test"] + opened, environment).status == 66)
    try home.write("a_test.lua", "test('beside', function() end)\n")
    let test = try home.run(
      ["hotpatch", "test"] + opened + ["--symbols", "symbols.json", "--tests", "patch/main_test.lua"], environment)
    #expect(test.output == "TAP version 13\n1..2\nok 1 - beside\nok 2 - less\n")
    for verb in ["lint", "run", "test"] {
      for (arguments, status, id) in [
        (["--trust", "second.pem", "--identity", "phones"], Int32(77), "signature-invalid"),
        (["--trust", "release.pem", "--identity", "release"], 65, "age-key-malformed"),
        (["--trust", "release.pem"], 64, "bundle-identity-missing"),
      ] {
        let refused = try home.run(["hotpatch", verb, "a.mpatch", "--json"] + arguments, environment)
        #expect(refused.status == status, "\(verb) \(refused)")
        #expect(refused.output.isEmpty, "\(verb) \(refused)")
        #expect(try home.code(refused) == id)
      }
    }
    let mended = try home.run(["hotpatch", "lint", "--fix", "--json"] + opened, environment)
    #expect(mended.status == 64)
    #expect(try home.code(mended) == "lint-fix-bundle")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    let after = try FileManager.default.contentsOfDirectory(atPath: home.path).sorted()
    #expect(after == (before + ["a_test.lua"]).sorted())
  }

  @Test("refusals 51 to 56 stop a build with 65 and their names, and leave no file")
  func refusedLua() throws {
    let home = try PatchHome()
    try home.write("symbols.json", PatchHome.symbols)
    for (id, program) in [
      ("lua-bytecode", "\u{1b}Lua"), ("lua-syntax", "x = = 1"), ("lua-undeclared-global", "log(somewhere)"),
      ("lua-symbol-unknown", "patch(\"Cart.steal\", function() end)"),
      ("lua-signature-mismatch", "patch(\"Cart.total\", function(a, b) return 1 end)"),
      ("lua-too-large", String(repeating: ";", count: 1 << 20) + ";"),
      ("lua-too-deep", "x = " + String(repeating: "(", count: 300)),
    ] {
      try home.write("patch/main.lua", program)
      let outcome = try home.build("a.mpatch", "--symbols", "symbols.json", "--json")
      #expect(outcome.status == 65, "\(outcome)")
      #expect(outcome.output.isEmpty, "\(outcome)")
      #expect(try home.code(outcome) == id)
      #expect(!FileManager.default.fileExists(atPath: home.path + "/a.mpatch"))
    }
  }

  @Test("an old script is built and read only where that is asked for, and called weak", .tool("openssl"))
  func legacy() throws {
    let home = try PatchHome()
    let made = try Command.run(
      "bash",
      [
        "-c",
        "openssl genpkey -quiet -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out rsa.pem && openssl pkey -in rsa.pem -pubout -out rsa.pub",
      ], directory: home.home.url)
    #expect(made.status == 0, "\(made.errors)")
    let aes = "00112233445566778899aabbccddeeff"
    let arguments = ["--legacy-v1", "--aes-key", aes, "--rsa-key", "rsa.pem", "--output"]
    for output in ["a.js", "b.js"] {
      let built = try home.run(["hotpatch", "build", "patch/main.lua"] + arguments + [output])
      #expect(built.status == 0, "\(built.errors)")
      #expect(built.errors.contains("weak"), "\(built.errors)")
    }
    #expect(try home.data("a.js") == home.data("b.js"))
    let refused = try home.mpaas("hotpatch", "verify", "a.js", "--trust", "rsa.pub", "--json")
    #expect(refused.status == 77)
    #expect(try home.code(refused) == "legacy-not-allowed")
    let verified = try home.mpaas(
      "hotpatch", "verify", "a.js", "--trust", "rsa.pub", "--allow-legacy-v1", "--aes-key", aes, "--json")
    #expect(verified.status == 0)
    #expect(verified.errors.contains("weak"))
    #expect(try home.object(verified.output)["content_checked"] as? Bool == true)
    let unpacked = try home.mpaas(
      "hotpatch", "unpack", "a.js", "--trust", "rsa.pub", "--allow-legacy-v1", "--aes-key", aes, "--output", "out")
    #expect(unpacked.status == 0, "\(unpacked.errors)")
    #expect(try home.data("out/main.lua") == home.data("patch/main.lua"))
  }
}
