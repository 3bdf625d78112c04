import Foundation
import MPaaSProtocol
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

/// Clients of tus as they are, against the server's program.
@Suite("Clients of tus work unmodified", .tusClients) struct UploadPeerTests {
  private func file(_ folder: TemporaryFolder, _ bytes: [UInt8]) throws -> String {
    let path = folder.path + "/sent.bin"
    try Data(bytes).write(to: URL(filePath: path))
    return path
  }

  @Test("tuspy: in chunks with checksums, stopped and resumed by its URL")
  func tuspy() async throws {
    let folder = try TemporaryFolder()
    let server = try ServerProcess(folder)
    let bytes = Sample.bytes(1_300_000)
    try await PythonClient.run(
      """
      import sys
      from tusclient import client
      endpoint, token, path, got = sys.argv[1:]
      c = client.TusClient(endpoint, headers={"Authorization": "Bearer " + token})
      u = c.uploader(path, chunk_size=200_000, metadata={"filename": "sent.bin", "kind": "log"}, upload_checksum=True)
      for _ in range(3): u.upload_chunk()
      assert u.offset == 600_000, u.offset
      v = c.uploader(path, chunk_size=500_000, url=u.url)
      assert v.offset == 600_000, v.offset
      v.upload()
      assert v.offset == 1_300_000
      import urllib.request
      body = urllib.request.urlopen(urllib.request.Request(u.url, headers={"Authorization": "Bearer " + token})).read()
      assert body == open(path, "rb").read()
      """, [server.ready.uploads, server.token, try file(folder, bytes), folder.path])
    #expect(server.end() == 0)
  }

  @Test("aiotus: one upload, metadata, several at once put together")
  func aiotus() async throws {
    let folder = try TemporaryFolder()
    let server = try ServerProcess(folder)
    let bytes = Sample.bytes(900_000)
    try await PythonClient.run(
      """
      import asyncio, io, sys, urllib.request
      import aiotus
      endpoint, token, path = sys.argv[1:]
      headers = {"Authorization": "Bearer " + token}
      def get(url):
          return urllib.request.urlopen(urllib.request.Request(url, headers=headers)).read()
      async def main():
          data = open(path, "rb").read()
          with open(path, "rb") as f:
              location = await aiotus.upload(endpoint, f, {"filename": b"sent.bin"}, headers=headers, chunksize=100_000)
          assert location is not None
          assert get(str(location)) == data
          metadata = await aiotus.metadata(location, headers=headers)
          assert metadata == {"filename": b"sent.bin"}, metadata
          parts = [io.BytesIO(data[:400_000]), io.BytesIO(data[400_000:])]
          final = await aiotus.upload_multiple(endpoint, parts, {"filename": b"all"}, headers=headers)
          assert final is not None
          assert get(str(final)) == data
      asyncio.run(main())
      """, [server.ready.uploads, server.token, try file(folder, bytes)])
    #expect(server.end() == 0)
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips the test where the clients of tus are not installed among the peers.
  static var tusClients: Self {
    .enabled(
      if: (try? Command.run(Fixture.python, ["-c", "import tusclient, aiotus"]))?.status == 0,
      "tuspy and aiotus are not installed: run scripts/bootstrap --peers")
  }
}
