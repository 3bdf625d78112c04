import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas registry push to an S3 store") struct RegistryStoreTests {
  static let weed = Fixture.package.appending(path: ".build/peers/bin/weed").path

  /// SeaweedFS, which checks signatures, with an empty bucket `shop`; it ends with its owner.
  final class Store {
    let folder: TemporaryFolder
    let endpoint: String
    private let program: RunningProgram

    /// Starts it, again on other ports where another program holds one of them.
    init() throws {
      folder = try TemporaryFolder()
      let settings: [String: Any] = [
        "identities": [
          [
            "name": "writer", "credentials": [["accessKey": "writer", "secretKey": "secret/+="]],
            "actions": ["Admin", "Read", "Write"],
          ], ["name": "anonymous", "actions": ["Read"]],
        ]
      ]
      try JSONSerialization.data(withJSONObject: settings).write(to: folder.url.appending(path: "s3.json"))
      var started: (RunningProgram, String)?
      for _ in 0..<5 where started == nil { started = try Self.start(in: folder.path) }
      (program, endpoint) = try #require(started, "SeaweedFS did not take requests")
    }

    /// The program and its address once it takes requests; nil where it ended before, or did not in five minutes.
    private static func start(in folder: String) throws -> (RunningProgram, String)? {
      // Below those that the system gives to clients.
      let ports = Int.random(in: 10_000..<32_000)
      let words = zip(["s3.port", "master.port", "volume.port", "filer.port"], [0, 2, 4, 6]).flatMap { name, place in
        ["-\(name)=\(ports + place)", "-\(name).grpc=\(ports + place + 1)"]
      }
      let program = try RunningProgram(
        RegistryStoreTests.weed,
        ["server", "-ip=127.0.0.1", "-dir=\(folder)", "-volume.max=3", "-s3"] + words
          + ["-s3.config=\(folder)/s3.json", "-s3.port.iceberg=0", "-s3.port.lance=0"],
        environment: ["HOME": folder], waitsForLine: false)
      let endpoint = "http://127.0.0.1:\(ports)"
      for _ in 0..<1200 where program.process.isRunning {
        let outcome = try Command.run(
          "curl",
          [
            "-s", "-f", "-X", "PUT", "--aws-sigv4", "aws:amz:us-east-1:s3", "--user", "writer:secret/+=",
            endpoint + "/shop",
          ])
        if outcome.status == 0 { return (program, endpoint) }
        Thread.sleep(forTimeInterval: 0.25)
      }
      return nil
    }
  }

  @Test(
    "only what changed is sent, with cache headers; python-tuf reads it there; a wrong key sends nothing",
    .tool("curl"), .pythonPeers,
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: weed),
      "SeaweedFS is not installed: run scripts/bootstrap --peers"))
  func seaweed() throws {
    let sample = try RegistryHome(keys: "anna")
    #expect(try sample.initialize("--key", "anna").status == 0)
    let patch = try sample.file("cart 1+2.mpatch", "fix")
    #expect(try sample.run("add", patch, "--prefix", "patches", "--key", "anna").status == 0)
    let store = try Store()
    let environment = [
      "AWS_ACCESS_KEY_ID": "writer", "AWS_SECRET_ACCESS_KEY": "secret/+=", "AWS_ENDPOINT_URL": store.endpoint,
      "no_proxy": "127.0.0.1",
    ]
    let push = ["push", "s3://shop/some/where", "--json"]
    let first = try sample.run(push, environment: environment)
    #expect(first.status == 0, "\(first.errors)")
    let names = try (json(first.output)["sent"] as? [[String: Any]])?.compactMap { $0["name"] as? String } ?? []
    #expect(names.count == 6)
    #expect(names.first?.hasPrefix("targets/") == true)
    #expect(names.last == "metadata/timestamp.json")
    let again = try json(sample.run(push, environment: environment).output)
    #expect((again["sent"] as? [Any])?.isEmpty == true)
    #expect(again["unchanged"] as? Int == 6 - 1)
    let url = store.endpoint + "/shop/some/where"
    let head = try Command.run("curl", ["-s", "-I", url + "/metadata/timestamp.json"]).output
    #expect(head.lowercased().contains("cache-control: no-cache"))
    #expect(head.lowercased().contains("content-type: application/json"))
    let script = """
      import sys
      from tuf.ngclient import Updater
      root = open(sys.argv[1] + "/metadata/1.root.json", "rb").read()
      updater = Updater(sys.argv[2], sys.argv[3] + "/metadata/", sys.argv[2], sys.argv[3] + "/targets/", bootstrap=root)
      print(open(updater.download_target(updater.get_targetinfo("patches/cart 1+2.mpatch"))).read())
      """
    let client = try TemporaryFolder()
    let read = try Command.run(
      Fixture.python, ["-c", script, sample.repository, client.path, url], environment: environment)
    #expect(read.output == "fix\n", "\(read.errors)")
    let refused = try sample.run(
      push, environment: environment.merging(["AWS_SECRET_ACCESS_KEY": "guess"]) { $1 })
    #expect(refused.status == 69, "\(refused.errors)")
    #expect(refused.errors.contains("registry-store-denied"))
  }

  @Test("a store that does not answer, an endpoint that is none, and a missing key are told each for itself")
  func faults() throws {
    let sample = try RegistryHome(keys: "anna")
    #expect(try sample.initialize("--key", "anna").status == 0)
    let key = ["AWS_ACCESS_KEY_ID": "writer", "AWS_SECRET_ACCESS_KEY": "secret"]
    // A port that was free a moment ago.
    let port = try LoopbackListener().url
    let away = try sample.run(["push", "s3://shop/some", "--endpoint", port, "--json"], environment: key)
    #expect(away.status == 69)
    #expect(away.errors.contains("registry-store-away"), "\(away.errors)")
    let endpoint = try sample.run(["push", "s3://shop", "--endpoint", "ftp://here", "--json"], environment: key)
    #expect(endpoint.status == 64)
    #expect(endpoint.errors.contains("ftp://here"), "\(endpoint.errors)")
    let keyless = try sample.run(
      ["push", "s3://shop", "--endpoint", port, "--json"], environment: ["AWS_ACCESS_KEY_ID": ""])
    #expect(keyless.errors.contains("registry-no-credentials"), "\(keyless.errors)")
  }
}
