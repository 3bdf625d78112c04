import MPaaSTerminal
import Synchronization
import Testing

@Suite("The progress of files that come one after another") struct FileProgressTests {
  @Test("tells of each file once, in their order, and again where one comes another time")
  func files() {
    let silent = OutputStream(isTerminal: false, width: { nil }, write: { _ in })
    let terminal = Terminal(
      catalogue: Catalogue(language: .english), settings: OutputSettings(), environment: [:], output: silent,
      errors: silent)
    let begun = Mutex<[String]>([])
    let progress = FileProgress("fetching", on: terminal, began: { file in begun.withLock { $0.append(file) } })
    progress.show("a", received: 0, total: 4)
    progress.show("a", received: 4, total: 4)
    progress.show("b", received: 3, total: nil)
    progress.show("b", received: 1, total: nil)
    progress.show("a", received: 2, total: 4)
    #expect(begun.withLock { $0 } == ["a", "b", "a"])
  }
}
