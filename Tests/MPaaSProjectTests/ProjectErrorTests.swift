import MPaaSProject
import MPaaSSupport
import Testing

@Suite("Errors of projects") struct ProjectErrorTests {
  @Test("malformed input ends with exit status 65")
  func status() {
    #expect(TemplateError(.malformed("sample-word")).diagnostic.exit == .malformedInput)
  }
}
