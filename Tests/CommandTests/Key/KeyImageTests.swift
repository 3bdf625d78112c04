import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas key image") struct KeyImageTests {
  let home: TemporaryFolder
  let picture: String

  init() throws {
    home = try TemporaryFolder()
    picture = home.path + "/keys.png"
  }

  private func image(_ arguments: String..., input: String? = nil) throws -> Command.Outcome {
    try mpaas(["key", "image"] + arguments, home: home, environment: ["MPAAS_PASSPHRASE": ""], input: input)
  }

  @Test("pairs are put in, listed without values, added, removed and read again")
  func editor() throws {
    let made = try image(
      "encode", "--output", picture, "--bundle-id", "com.example.shop", "--pairs", "-",
      input: "app=4b1d\n# note\ngateway=a=b\n")
    #expect(made.status == 0, "\(made.errors)")
    let listed = try image("list", picture, "--bundle-id", "com.example.shop")
    #expect(listed.output.contains("gateway"))
    #expect(!listed.output.contains("a=b"))
    let added = try image(
      "add", picture, "push", "--value-file", "-", "--bundle-id", "com.example.shop", input: "secret\n")
    #expect(added.status == 0, "\(added.errors)")
    #expect(try image("remove", picture, "app", "--bundle-id", "com.example.shop").status == 0)
    #expect(try image("remove", picture, "app", "--bundle-id", "com.example.shop").status == 66)
    let decoded = try json(image("decode", picture, "--bundle-id", "com.example.shop", "--json").output)
    #expect(decoded["pairs"] as? [String: String] == ["gateway": "a=b", "push": "secret"])
    #expect(try image("verify", picture, "--bundle-id", "com.example.shop").status == 0)
  }

  @Test("another app, or a changed picture, gets nothing, with status 77")
  func closed() throws {
    #expect(try image("encode", "--output", picture, "--bundle-id", "com.example.shop", "--pair", "a=b").status == 0)
    let other = try image("decode", picture, "--bundle-id", "com.example.bank", "--json")
    #expect(other.status == 77)
    #expect(other.output.isEmpty)
    #expect(try (json(other.errors)["error"] as? [String: Any])?["code"] as? String == "key-picture-closed")
  }

  @Test("a picture with a passphrase opens with it only")
  func passphrase() throws {
    let file = home.path + "/pw"
    try "geheim\n".write(toFile: file, atomically: true, encoding: .utf8)
    let made = try image("encode", "--output", picture, "--bundle-id", "x", "--pair", "a=b", "--passphrase-file", file)
    #expect(made.status == 0, "\(made.errors)")
    #expect(try image("verify", picture, "--bundle-id", "x").status == 64)
    let verdict = try json(image("verify", picture, "--bundle-id", "x", "--passphrase-file", file, "--json").output)
    #expect(verdict["valid"] as? Bool == true)
    #expect(verdict["count"] as? Int == 1)
    #expect(verdict["passphrase"] as? Bool == true)
  }
}
