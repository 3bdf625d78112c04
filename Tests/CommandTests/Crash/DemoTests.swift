import Foundation
import MPaaSTestSupport
import Testing

/// `make demo` from its first to its last screen, over what this test run built.
@Suite("The demo") struct DemoTests {
  private static let root = Fixture.package

  @Test("shows a crash, mends it by a signed patch that no forged one replaces, and brings the fix as a module")
  func demo() throws {
    let home = try TemporaryFolder()
    let demo = home.path + "/demo"
    let outcome = try Command.run(
      "bash", [Self.root.appending(path: "scripts/demo").path, Command.products.path, demo],
      environment: ["LC_ALL": "C", "MPAAS_LANG": "en", "MPAAS_REPOSITORY": "\(home.path)/none", "HOME": home.path])
    #expect(outcome.status == 0, "\(outcome.output)\n\(outcome.errors)")
    // Each line follows the one before it.
    var rest = outcome.output[...]
    for line in [
      "== 1.", "It died by signal ILL", "== 2.", "its report is \(demo)/reports/crash-", "== 3.", "== 4.",
      "PriceLadder.swift:27", "== 5.", "crash.html", "== 6.", "2 files, nothing found\n", "ok 1 - block orders",
      "ok 2 - ", "== 7.", "Replaces: Book.accepted\n", "running  100 %", "== 8.", "patch block-orders 1.0 installed\n",
      "patch block-orders 1.0 runs\n", "block order of 1000000 pieces turned away\n", "matched 2000 orders",
      "It survived", "== 9.", "Status 77", "refused: target-digest-mismatch\n", "It died by signal ILL",
      "refused: installed-patch-changed\n", "installed\n", "It survived", "== 10.", "withdrawn",
      "rolled back to none\n", "It died by signal ILL", "orderbook 1.3 mends it\n", "== 11.", "+ PriceLadder 1.0.0\n",
      "It died by signal ILL", "== 12.", "PriceLadder 1.0.1: ", "PriceLadder  1.0.0    1.0.1    1.0.1   ^1.0.0\n",
      "Orders beyond the book", "超出订单簿", "== 13.", "Status 77", "~ PriceLadder 1.0.0 → 1.0.1\n",
      "4500 of 1000000 pieces for 466400\n", "== 15.", "It was killed while it hung",
      "the last run hung; its report is", "recount", "== 16.", "recount", "== Done",
    ] {
      guard let range = rest.range(of: line) else {
        Issue.record("\(line) is not where it should be in \(outcome.output)")
        break
      }
      rest = rest[range.upperBound...]
    }
    #expect(outcome.errors.contains("code: signature-invalid "))
    #expect(outcome.errors.contains("code: archive-digest-mismatch "))
    // Nothing was made outside of its folder.
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path) == ["demo"])
  }

  @Test("names the functions that patches may replace in a list that lint accepts")
  func symbols() throws {
    let home = try TemporaryFolder()
    let list = try Command.run("orderbook", ["--symbols"])
    #expect(list.status == 0)
    let path = home.path + "/symbols.json"
    try list.output.write(toFile: path, atomically: true, encoding: .utf8)
    for (patch, status) in [
      ("patch('Book.accepted', function(quantity, participant) return quantity end)", 0),
      ("patch('Book.accepted', function(quantity) return 'all' end)", 1), ("patch('Book.match', print)", 1),
    ] as [(String, Int32)] {
      let file = home.path + "/main.lua"
      try patch.write(toFile: file, atomically: true, encoding: .utf8)
      let lint = try mpaas("hotpatch", "lint", file, "--symbols", path, home: home)
      #expect(lint.status == status, "\(patch): \(lint.output)")
    }
  }
}
