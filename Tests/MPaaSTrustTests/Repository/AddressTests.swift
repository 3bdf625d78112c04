import Foundation
import MPaaSTestSupport
import Testing

@testable import MPaaSTrust
@testable import MPaaSVerification

@Suite("Addresses of targets") struct AddressTests {
  @Test("are URLs on servers with their names escaped, and paths of the files that folders have")
  func addresses() throws {
    let folder = try TemporaryFolder()
    let target = TrustedTarget(
      name: "sdk/APLog/APLog 3+1.zip", file: TargetFile(length: 1, digests: FileDigests(sha256: "")), role: "targets")
    func addresses() throws -> [String] {
      let fetch = try RepositoryFetch(mirrors: ["https://a.example/r/", folder.path], scratch: folder.path)
      return try RepositoryClient(metadataFolder: folder.path, fetch: fetch).addresses(of: target)
    }
    let url = "https://a.example/r/targets/sdk/APLog/APLog%203%2B1.zip"
    #expect(try addresses() == [url])
    let file = folder.url.appending(path: "targets/sdk/APLog/APLog 3+1.zip")
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data([1]).write(to: file)
    #expect(try addresses() == [url, file.path])
  }
}
