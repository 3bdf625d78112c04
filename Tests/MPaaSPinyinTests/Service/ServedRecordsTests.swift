import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Synchronization
import Testing

@testable import MPaaSPinyin

@Suite("Records that are served") struct ServedRecordsTests {
  /// A file as a test has it: its status, and its texts or the error of reading it.
  private final class ScriptedFile: Sendable {
    private struct State {
      var status: FileStatus?
      var texts: Result<[String], PinyinError>
    }

    private let state: Mutex<State>

    init(_ texts: [String]) {
      state = Mutex(State(texts: .success(texts)))
    }

    func set(_ texts: Result<[String], PinyinError>) { state.withLock { $0.texts = texts } }
    func set(_ status: FileStatus?) { state.withLock { $0.status = status } }

    func served() throws -> ServedRecords {
      try ServedRecords(path: "names", stamp: { self.state.withLock { $0.status } }) {
        let texts = try self.state.withLock { try $0.texts.get() }
        return SearchedRecords(RecordIndex(PinyinIndex(texts)))
      }
    }
  }

  private static let unreadable = PinyinError(.recordsNotUTF8, ["file": "names", "offset": "1"])

  @Test("each reading is a generation; what cannot be read leaves the one before and says why")
  func generations() throws {
    let file = ScriptedFile(["张三"])
    let served = try file.served()
    #expect(served.generation?.number == 1)
    file.set(.failure(Self.unreadable))
    #expect(served.reload() == Self.unreadable.diagnostic)
    #expect(served.failure == Self.unreadable.diagnostic)
    #expect(served.generation?.number == 1)
    #expect(served.generation?.searched.index.count == 1)
    file.set(.success(["张三", "李四"]))
    #expect(served.reload() == nil)
    #expect(served.failure == nil)
    #expect(served.generation?.number == 2)
    #expect(served.generation?.searched.index.count == 2)
  }

  @Test("what cannot be read at the start is not served")
  func start() {
    let file = ScriptedFile([])
    file.set(.failure(Self.unreadable))
    #expect(throws: Self.unreadable) { try file.served() }
  }

  @Test("a file is outdated where its status differs from that of the last reading, not where it is away")
  func outdated() throws {
    let folder = try TemporaryFolder()
    func status(_ text: String) throws -> FileStatus? {
      try Data(text.utf8).write(to: folder.url.appending(path: "file"))
      return FileStatus(folder.path + "/file")
    }
    let file = ScriptedFile([])
    file.set(try status("1"))
    let served = try file.served()
    #expect(!served.isOutdated)
    file.set(nil)
    #expect(!served.isOutdated)
    file.set(try status("22"))
    #expect(served.isOutdated)
    file.set(.failure(Self.unreadable))
    _ = served.reload()
    // It is not tried again until it changes once more.
    #expect(!served.isOutdated)
  }

  @Test("texts and indexes are read from their files")
  func files() throws {
    let folder = try TemporaryFolder()
    let (texts, index) = (folder.path + "/names", folder.path + "/names.mpidx")
    try Data("张三\n李四\n".utf8).write(to: URL(filePath: texts))
    try RecordIndexFile(index).write(RecordIndex(PinyinIndex(["张三"])))
    let served = try ServedRecords(texts: texts, options: RecordOptions(), readings: .builtIn)
    #expect(served.generation?.searched.index.count == 2)
    #expect(try ServedRecords(index: index).generation?.searched.index.count == 1)
  }
}
