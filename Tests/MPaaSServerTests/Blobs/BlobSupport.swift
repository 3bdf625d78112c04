import Foundation
import MPaaSObjectStoreTestSupport
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import Synchronization
import Testing

@testable import MPaaSServer

extension TestServer {
  /// The folder of blobs, where they are in one.
  var blobFolder: BlobFolder {
    get throws { try #require(services.blobs as? FolderBlobs).folder }
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips tests that look into the folder of blobs while others have them in a bucket.
  static var inFolder: Self {
    .enabled(if: ProcessInfo.processInfo.environment["MPAAS_TEST_BLOBS"] == nil, "the blobs are in no folder")
  }

  /// Skips tests where SeaweedFS is not installed.
  static var seaweed: Self {
    .enabled(if: SeaweedStore.isInstalled, "SeaweedFS is not installed: run scripts/bootstrap --peers")
  }
}

extension ServerConfiguration {
  /// Takes a place in a bucket of SeaweedFS where `MPAAS_TEST_BLOBS=s3` asks for it: a fresh one for each data folder.
  mutating func takeTestBlobs() {
    guard blobs == nil, ProcessInfo.processInfo.environment["MPAAS_TEST_BLOBS"] == "s3", let store = SeaweedStore.shared
    else { return }
    let data = data
    blobs = Self.places.value.withLock { places in
      let place = places[data] ?? store.address()
      places[data] = place
      return place
    }
  }

  private final class Places: Sendable {
    let value = Mutex<[String: String]>([:])
  }

  /// The places by the data folders that have them.
  private static let places = Places()
}

/// SeaweedFS, which checks signatures, with the bucket `shop`, for all tests of this process; it ends with it.
final class SeaweedStore: Sendable {
  /// nil where it is not installed or does not start.
  static let shared: SeaweedStore? = isInstalled ? try? SeaweedStore() : nil
  private static let program = Fixture.package.appending(path: ".build/peers/bin/weed").path
  static let isInstalled = FileManager.default.isExecutableFile(atPath: program)

  let url: String
  private let folder: TemporaryFolder
  private let words: Pipe
  private let number = Mutex(0)

  struct Failure: Error {}

  private init() throws {
    folder = try TemporaryFolder()
    let identity: [String: Any] = [
      "name": "writer",
      "credentials": [
        [
          "accessKey": BucketDouble.key, "secretKey": BucketDouble.environment["AWS_SECRET_ACCESS_KEY"] ?? "",
        ]
      ], "actions": ["Admin", "Read", "Write"],
    ]
    try JSONSerialization.data(withJSONObject: ["identities": [identity]])
      .write(to: folder.url.appending(path: "s3.json"))
    for _ in 0..<5 {
      if let (url, words) = try Self.start(in: folder.path) {
        (self.url, self.words) = (url, words)
        return
      }
    }
    throw Failure()
  }

  /// The address of a place that nothing was kept at yet.
  func address() -> String {
    let number = number.withLock { number in
      number += 1
      return number
    }
    return "s3://shop/test \(number)/a+b?endpoint=\(url)"
  }

  /// Starts the program on ports that may be free; nil where it ended, or takes no requests in five minutes.
  private static func start(in folder: String) throws -> (String, Pipe)? {
    let port = Int.random(in: 10_000..<32_000)
    let ports = zip(["s3.port", "master.port", "volume.port", "filer.port"], [0, 2, 4, 6]).flatMap { name, place in
      ["-\(name)=\(port + place)", "-\(name).grpc=\(port + place + 1)"]
    }
    let (process, words) = (Process(), Pipe())
    process.executableURL = URL(filePath: "/bin/sh")
    // The shell waits for a word that never comes, and for the end of who would say it.
    let watch = #""$0" "$@" <&- >/dev/null 2>&1 & server=$!; read word; kill $server"#
    process.arguments =
      ["-c", watch, program, "server", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-dir=\(folder)", "-volume.max=8", "-s3"]
      + ports + ["-s3.config=\(folder)/s3.json", "-s3.port.iceberg=0", "-s3.port.lance=0"]
    process.environment = ["HOME": folder, "PATH": ProcessInfo.processInfo.environment["PATH"] ?? ""]
    process.standardInput = words
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try withNoSignalsBlocked { try process.run() }
    let url = "http://127.0.0.1:\(port)"
    let secret = BucketDouble.environment["AWS_SECRET_ACCESS_KEY"] ?? ""
    for _ in 0..<1200 where process.isRunning {
      let made = try Command.run(
        "curl",
        [
          "-s", "-f", "-X", "PUT", "--noproxy", "*", "--aws-sigv4", "aws:amz:us-east-1:s3", "--user",
          "\(BucketDouble.key):\(secret)", url + "/shop",
        ])
      if made.status == 0 { return (url, words) }
      Thread.sleep(forTimeInterval: 0.25)
    }
    return nil
  }
}

/// A place of blobs that tests go over.
enum BlobEngine: String, CaseIterable, Sendable {
  case folder, otherFolder, bucket, seaweed

  static var installed: [BlobEngine] { SeaweedStore.isInstalled ? allCases : [.folder, .otherFolder, .bucket] }

  /// A fresh place; it ends with this value.
  struct Place {
    let text: String?
    let bucket: BucketDouble?
    private let folder: TemporaryFolder

    init(_ engine: BlobEngine) throws {
      folder = try TemporaryFolder()
      bucket = engine == .bucket ? try BucketDouble() : nil
      switch engine {
      case .folder: text = nil
      case .otherFolder: text = folder.path + "/elsewhere"
      case .bucket: text = bucket?.address()
      case .seaweed: text = try #require(SeaweedStore.shared).address()
      }
    }
  }
}
