import Foundation
import MPaaSTestSupport
import Synchronization
import Testing

@testable import MPaaSPinyin

@Suite("The search manager between threads")
struct PinyinSearchThreadsTests {
  /// Contacts of which a generation has one mark each, with names that a query tells apart.
  private static func contacts(_ mark: Int) -> [Contact] {
    (0..<30).map { Contact($0 < 10 ? "张三\(mark)" : "李四\($0)", "m\(mark)") }
  }

  /// What an answer must be, whichever generation gave it.
  private static func isConsistent(_ found: PinyinSearchResult<Contact>) -> Bool {
    let marks = Set(found.matches.compactMap(\.element.account))
    return marks.count == 1 && found.primary.count == 10 && found.secondary.isEmpty
      && found.matches.allSatisfy { $0.text == $0.element.name && [$0.start, $0.end] == [0, 1] }
  }

  @Test("16 threads search while another builds, changes, cancels and resets, and each answer is of one generation")
  func sixteen() async throws {
    let manager = PinyinSearchManager<Contact>(primary: \.name, secondary: \.account)
    try await manager.build(Self.contacts(0)).finished()
    let isOver = Atomic(false)
    let (answers, faults) = (Atomic(0), Mutex<[String]>([]))
    let mayBeEmpty = Atomic(false)
    let done = Promise<Int>()
    let left = Atomic(17)
    @Sendable func leave() {
      if left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { done.resolve(.success(0)) }
    }
    for number in 0..<16 {
      Thread.detachNewThread {
        var last = 0
        while !isOver.load(ordering: .acquiring) {
          let snapshot = manager.snapshot
          let found = snapshot.search("zhangsan", limit: number.isMultiple(of: 3) ? 10 : nil)
          let isFine =
            Self.isConsistent(found) || found.isEmpty && snapshot.count == 0 && mayBeEmpty.load(ordering: .acquiring)
          // A thread never sees an older generation after a newer one.
          if !isFine || found.generation != snapshot.generation || found.generation < last {
            faults.withLock { $0.append("\(found.generation) after \(last): \(found.matches.map(\.text))") }
          }
          last = found.generation
          answers.add(1, ordering: .relaxed)
        }
        leave()
      }
    }
    Thread.detachNewThread {
      for round in 1...60 {
        switch round % 10 {
        case 3:
          manager.change { contents in
            contents.removeAll { _ in true }
            contents.append(Self.contacts(round))
          }
        case 5: manager.build(Self.contacts(round)).cancel()
        case 7:
          mayBeEmpty.store(true, ordering: .releasing)
          manager.reset()
        default: manager.build(Self.contacts(round))
        }
        // So that some builds come to their end and threads have a turn.
        let target = answers.load(ordering: .relaxed) + 20
        while answers.load(ordering: .relaxed) < target { Thread.sleep(forTimeInterval: 0.000_2) }
      }
      isOver.store(true, ordering: .releasing)
      leave()
    }
    _ = try await done.value()
    #expect(faults.withLock { $0 }.isEmpty)
    #expect(answers.load(ordering: .relaxed) >= 1200)
    try await manager.build(Self.contacts(99)).finished()
    #expect(Self.isConsistent(try await manager.search("zhangsan")))
  }
}
