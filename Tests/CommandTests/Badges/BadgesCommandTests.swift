import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas badges preview") struct BadgesCommandTests {
  private static let payload = #"""
    [{"badgeId": "me,orders,unpaid", "style": "num", "temporaryBadgeNumber": 2, "persistentBadgeNumber": 1},
     {"badgeId": "me,theme", "style": "new", "temporaryBadgeNumber": 1}]
    """#

  /// The texts that the widgets show, by their names.
  private func shown(_ options: String...) throws -> [String: String] {
    let outcome = try mpaas(["badges", "preview", "-", "--json"] + options, input: Self.payload)
    #expect(outcome.status == 0, "\(outcome)")
    var shown: [String: String] = [:]
    func add(_ widget: [String: Any]) {
      shown[widget["widget"] as? String ?? ""] = widget["shows"] as? String ?? "–"
      for child in widget["children"] as? [[String: Any]] ?? [] { add(child) }
    }
    for widget in try json(outcome.output)["widgets"] as? [[String: Any]] ?? [] { add(widget) }
    return shown
  }

  @Test("parents show the sum by the calculation, and a tap clears what is temporary in a leaf alone")
  func tree() throws {
    #expect(try shown() == ["me": "4", "orders": "3", "unpaid": "3", "theme": "new"])
    #expect(try shown("--tap", "unpaid") == ["me": "2", "orders": "1", "unpaid": "1", "theme": "new"])
    #expect(try shown("--tap", "me") == shown())
    #expect(try shown("--calculation", "num")["me"] == "3")
  }

  @Test("a payload that is none is refused, and so is a calculation")
  func refusals() throws {
    let cut = try mpaas("badges", "preview", "-", input: #"[{"style": "num"}]"#)
    #expect(cut.status == 65 && cut.errors.contains("badgeId"), "\(cut)")
    let calculation = try mpaas("badges", "preview", "-", "--calculation", "nmu", input: "[]")
    #expect(calculation.status == 64 && calculation.errors.contains("did you mean 'num'?"), "\(calculation)")
    #expect(try mpaas("badges", "preview", "-", input: "[]").output.contains("no badges"))
    let tap = try mpaas("badges", "preview", "-", "--tap", "ordes", input: Self.payload)
    #expect(tap.status == 64 && tap.errors.contains("help: orders is one"), "\(tap)")
    #expect(try mpaas("badges", "preview", "/nowhere.json").status == 66)
  }
}
