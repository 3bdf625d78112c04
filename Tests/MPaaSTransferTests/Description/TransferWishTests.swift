import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTransfer
import MPaaSTransferTools
import Testing

@Suite("A transfer as users name it") struct TransferWishTests {
  let folder: TemporaryFolder
  /// The folder without links, as the queue has it.
  let place: String

  init() throws {
    folder = try TemporaryFolder()
    place = try #require(FileSystem.resolved(folder.path))
  }

  // MARK: Downloads

  @Test("goes to the file that is named, in a folder that is found from anywhere")
  func named() throws {
    let transfer = try Transfer(downloading: "http://x/a.zip", to: folder.path + "/./b.zip", replaces: false)
    #expect(transfer.file == place + "/b.zip")
    #expect(transfer.method == .get)
  }

  @Test(
    "is called as the last part of the address",
    arguments: [
      ("http://x/a/b.zip", "b.zip"), ("http://x/b.zip?c=/d", "b.zip"), ("http://x/b.zip#c/d", "b.zip"),
      ("http://x/a/", "a"), ("http://x", "index.html"), ("http://x/", "index.html"), ("http://x/..", "index.html"),
      ("http://x/a/.", "index.html"), ("", "index.html"),
    ])
  func lastPart(url: String, name: String) throws {
    #expect(FileSystem.name(of: try Transfer(downloading: url, to: nil, replaces: true).file) == name)
  }

  @Test("is refused where its folder is missing")
  func missingFolder() {
    #expect(throws: FileError.missing(folder.path + "/none")) {
      try Transfer(downloading: "http://x/a", to: folder.path + "/none/a", replaces: true)
    }
  }

  @Test("takes no file that is there, unless it may be replaced")
  func replacing() throws {
    let path = folder.path + "/a"
    try Data().write(to: URL(filePath: path))
    #expect(throws: TransferError(.fileExists, ["path": path])) {
      try Transfer(downloading: "http://x/a", to: path, replaces: false)
    }
    #expect(try Transfer(downloading: "http://x/a", to: path, replaces: true).file == place + "/a")
  }

  // MARK: Uploads

  @Test("goes up by tus, to a store by S3, or as the user says")
  func methods() throws {
    #expect(try Transfer(uploading: "a", to: "http://x/a", by: nil).method == .tus)
    #expect(try Transfer(uploading: "a", to: "s3://bucket/a", by: nil).method == .s3)
    #expect(try Transfer(uploading: "a", to: "s3://bucket/a", by: .put).method == .put)
  }

  @Test("does not go up by a method that brings a file here")
  func download() {
    #expect(throws: TransferError(.badDescription, ["field": "method", "value": "get"])) {
      try Transfer(uploading: "a", to: "http://x/a", by: .get)
    }
  }

  @Test("goes up from a path that is found from anywhere; one that is missing stays as it is")
  func source() throws {
    let path = folder.path + "/a"
    try Data().write(to: URL(filePath: path))
    #expect(try Transfer(uploading: folder.path + "/./a", to: "http://x", by: nil).file == place + "/a")
    #expect(try Transfer(uploading: "/none/a", to: "http://x", by: nil).file == "/none/a")
  }

  // MARK: The queue

  private func queue() throws -> TransferQueue {
    let client = HTTPClient(exchange: { call throws(HTTPError) in throw HTTPError(.unreachable, url: call.url) })
    return try TransferQueue(folder.path + "/queue.sqlite", client: client)
  }

  @Test("waits in the queue where nothing moves it")
  func waiting() async throws {
    let record = try await queue().bring(Transfer(.get, "http://x/a", file: place + "/a"), run: nil)
    #expect(record.state == .waiting)
  }

  @Test("is told as it is after it was moved")
  func moved() async throws {
    let queue = try queue()
    let record = try await queue.bring(Transfer(.get, "http://x/a", file: place + "/a")) { try queue.cancel($0) }
    #expect(record.state == .cancelled)
  }

  @Test("that another process has removed is unknown")
  func removed() async throws {
    let queue = try queue()
    await #expect(throws: TransferError.self) {
      try await queue.bring(Transfer(.get, "http://x/a", file: place + "/a")) {
        try queue.cancel($0)
        try queue.remove($0)
      }
    }
  }
}
