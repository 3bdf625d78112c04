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

  /// The conditions on an answer, whichever generation gave it.
  private static func isConsistent(_ found: PinyinSearchResult<Contact>) -> Bool {
    let marks = Set(found.matches.compactMap(\.element.account))
    return marks.count == 1 && found.primary.count == 10 && found.secondary.isEmpty
      && found.matches.allSatisfy { $0.text == $0.element.name && [$0.start, $0.end] == [0, 1] }
  }

  /// The words of the threads to one another.
  private final class Talk: Sendable {
    let isOver = Atomic(false)
    let mayBeEmpty = Atomic(false)
    let answers = Atomic(0)
    let faults = Mutex<[String]>([])
    let done = Promise<Bool>()
    private let left: Atomic<Int>

    init(threads: Int) { left = Atomic(threads) }

    func leave() {
      if left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { done.resolve(.success(true)) }
    }
  }

  @Test("16 threads search while another builds, changes, cancels and resets, and each answer is of one generation")
  func sixteen() async throws {
    let manager = PinyinSearchManager<Contact>(primary: \.name, secondary: \.account)
    try await manager.build(Self.contacts(0)).finished()
    let talk = Talk(threads: 17)
    for number in 0..<16 {
      Thread.detachNewThread {
        var last = 0
        while !talk.isOver.load(ordering: .acquiring) {
          let snapshot = manager.snapshot
          let found = snapshot.search("zhangsan", limit: number.isMultiple(of: 3) ? 10 : nil)
          let isFine =
            Self.isConsistent(found)
            || found.isEmpty && snapshot.count == 0 && talk.mayBeEmpty.load(ordering: .acquiring)
          // A thread never sees an older generation after a newer one.
          if !isFine || found.generation != snapshot.generation || found.generation < last {
            talk.faults.withLock { $0.append("\(found.generation) after \(last): \(found.matches.map(\.text))") }
          }
          last = found.generation
          talk.answers.add(1, ordering: .relaxed)
        }
        talk.leave()
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
          talk.mayBeEmpty.store(true, ordering: .releasing)
          manager.reset()
        default: manager.build(Self.contacts(round))
        }
        // So that some builds come to their end and threads have a turn.
        let target = talk.answers.load(ordering: .relaxed) + 20
        while talk.answers.load(ordering: .relaxed) < target { Thread.sleep(forTimeInterval: 0.000_2) }
      }
      talk.isOver.store(true, ordering: .releasing)
      talk.leave()
    }
    _ = try await talk.done.value()
    #expect(talk.faults.withLock { $0 }.isEmpty)
    #expect(talk.answers.load(ordering: .relaxed) >= 1200)
    try await manager.build(Self.contacts(99)).finished()
    #expect(Self.isConsistent(try await manager.search("zhangsan")))
  }
}
