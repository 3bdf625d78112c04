import MPaaSFlags
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Flags") struct SpecificationTests {
  @Test(
    "are evaluated as the client specification and its first implementation do", .fixtures, arguments: Specification.all
  )
  func answers(_ file: String) throws {
    let specification = try Specification(file)
    let snapshot = FlagSnapshot(specification.state)
    #expect(!specification.questions.isEmpty)
    for question in specification.questions {
      let answer =
        question.isVariant
        ? snapshot.variant(question.flag, for: question.context).json
        : .bool(snapshot.isEnabled(question.flag, for: question.context))
      #expect(answer == question.expected, "\(file): \(question.description)")
    }
  }

  @Test("are explained as they are evaluated", .fixtures, arguments: Specification.all)
  func explanations(_ file: String) throws {
    let specification = try Specification(file)
    let explainer = FlagExplainer(specification.state)
    for question in specification.questions where !question.isVariant {
      let explanation = explainer.explain(question.flag, for: question.context)
      #expect(.bool(explanation.isEnabled) == question.expected, "\(file): \(question.description)")
      switch explanation.decision {
      case .strategy(let number):
        #expect(explanation.strategies[number - 1].holds && explanation.isEnabled)
        #expect(explanation.strategies.prefix(number - 1).allSatisfy { !$0.holds })
      case .noStrategyHolds: #expect(explanation.strategies.allSatisfy { !$0.holds } && !explanation.isEnabled)
      case .noStrategies: #expect(explanation.isEnabled)
      case .noSuchFlag, .flagOff, .broken, .parent: #expect(!explanation.isEnabled)
      }
    }
  }
}
