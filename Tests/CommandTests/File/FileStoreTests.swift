import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas file put to an S3 store") struct FileStoreTests {
  @Test(
    "a small file goes in one piece, a large one in parts; both come back byte for byte, and a wrong key sends nothing",
    .tool("curl"),
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: RegistryStoreTests.weed),
      "SeaweedFS is not installed: run scripts/bootstrap --peers"))
  func seaweed() throws {
    let folder = try TemporaryFolder()
    let store = try RegistryStoreTests.Store()
    func run(_ words: [String], secret: String = "secret/+=") throws -> Command.Outcome {
      try Command.run(
        "mpaas", ["file"] + words,
        environment: [
          "MPAAS_HOME": folder.path + "/home", "no_proxy": "127.0.0.1", "AWS_ACCESS_KEY_ID": "writer",
          "AWS_SECRET_ACCESS_KEY": secret, "AWS_ENDPOINT_URL": store.endpoint,
        ], directory: folder.url)
    }
    for (name, size, more) in [("small 1+2", 1000, []), ("large", 11_000_000, ["--chunk", "5M", "--parts", "2"])] {
      let content = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) })
      try content.write(to: folder.url.appending(path: name))
      let put = try run(["put", name, "s3://shop/logs/" + name] + more)
      #expect(put.status == 0, "\(put.output) \(put.errors)")
      #expect(put.output.contains("is at s3://shop/logs/" + name), "\(put.output) \(put.errors)")
      let address = store.endpoint + "/shop/logs/" + name.replacing(" ", with: "%20").replacing("+", with: "%2B")
      #expect(try run(["get", address, "back"]).status == 0)
      #expect(try Data(contentsOf: folder.url.appending(path: "back")) == content)
      try FileManager.default.removeItem(at: folder.url.appending(path: "back"))
    }
    let refused = try run(["put", "large", "s3://shop/no"], secret: "guess")
    #expect(refused.status == 69, "\(refused.output)")
    #expect(refused.output.contains("SignatureDoesNotMatch"), "\(refused.output)")
  }
}
