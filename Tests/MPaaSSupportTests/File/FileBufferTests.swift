import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSToolSupport
import Testing

@Suite("Memory for one file after another") struct FileBufferTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func file(_ count: Int) throws -> String {
    let path = folder.path + "/\(count)"
    try Data((0..<count).map { UInt8(truncatingIfNeeded: $0) }).write(to: URL(filePath: path))
    return path
  }

  @Test("holds each file whole, whatever was in it before", arguments: [16, 1, 1 << 16])
  func files(capacity: Int) throws {
    var buffer = FileBuffer(capacity: capacity)
    for count in [100, 0, 3, 1000, 16, 17] {
      let bytes = try buffer.withFile(try file(count), limit: 1 << 20) { [UInt8]($0) }
      #expect(bytes == (0..<count).map { UInt8(truncatingIfNeeded: $0) }, "\(count)")
    }
  }

  @Test("does not grow beyond the limit")
  func limit() throws {
    var buffer = FileBuffer(capacity: 16)
    let path = try file(100)
    var failure: FileError?
    do {
      _ = try buffer.withFile(path, limit: 64) { $0.count }
    } catch {
      failure = error as? FileError
    }
    #expect(failure == FileError(.read, path, .fileTooLarge))
    let count = try buffer.withFile(try file(3), limit: 64) { $0.count }
    #expect(count == 3)
  }

  @Test(
    "takes a file of exactly the limit and none that is longer, however much memory there is", arguments: [1, 64, 256])
  func exactLimit(capacity: Int) throws {
    var buffer = FileBuffer(capacity: capacity)
    let count = try buffer.withFile(try file(64), limit: 64) { $0.count }
    #expect(count == 64)
    let path = try file(65)
    var failure: FileError?
    do {
      _ = try buffer.withFile(path, limit: 64) { $0.count }
    } catch {
      failure = error as? FileError
    }
    #expect(failure == FileError(.read, path, .fileTooLarge))
  }

  @Test("is as good as before where a file is missing, or its bytes are refused")
  func failures() throws {
    var buffer = FileBuffer()
    var codes: [String] = []
    do {
      _ = try buffer.withFile(folder.path + "/none", limit: 64) { $0.count }
    } catch {
      codes.append("\(type(of: error))")
    }
    do {
      try buffer.withFile(try file(3), limit: 64) { _ in throw CancellationError() }
    } catch {
      codes.append("\(type(of: error))")
    }
    #expect(codes == ["FileError", "CancellationError"])
    let count = try buffer.withFile(try file(3), limit: 64) { $0.count }
    #expect(count == 3)
  }
}
