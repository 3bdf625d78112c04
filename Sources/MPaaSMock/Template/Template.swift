/// A template of Handlebars' language with WireMock's helpers.
///
/// A template never fails while it is shown: where a helper cannot do its work, the text `[ERROR: …]` stands in its place,
/// as WireMock has it.
package struct Template: Sendable {
  /// The most bytes that a template may make.
  package static let mostOutput = 16 << 20
  /// The most time that a template may take.
  package static let longestRun = Duration.milliseconds(100)
  /// The most bytes of a template.
  package static let longest = 16 << 20

  private let nodes: [TemplateNode]
  /// The text, where nothing in it is to be filled in.
  private let fixed: String?

  /// Reads a template.
  ///
  /// - Throws: The first thing that cannot be there, with its line.
  package init(_ text: String) throws(TemplateError) {
    guard text.utf8.count <= Self.longest else { throw TemplateError(reason: "it is longer than 16 MiB", line: 1) }
    guard text.contains("{{") else {
      (nodes, fixed) = ([], text)
      return
    }
    var parser = TemplateParser(text)
    nodes = try parser.template()
    fixed = nil
  }

  /// Fills the template in.
  package func text(_ context: TemplateContext) -> String {
    if let fixed { return fixed }
    var run = TemplateRun(context)
    run.show(nodes)
    return run.output
  }
}

/// The world as templates know it: the request, time, randomness, the machine's names.
package struct TemplateContext: Sendable {
  package var values: TemplateValue
  /// Seconds since 1970.
  package var now: Double
  package var random: MockRandom
  package var hostName: String
  package var environment: [String: String]

  package init(
    values: TemplateValue, now: Double, random: MockRandom, hostName: String = "localhost",
    environment: [String: String] = [:]
  ) {
    self.values = values
    self.now = now
    self.random = random
    self.hostName = hostName
    self.environment = environment
  }
}
